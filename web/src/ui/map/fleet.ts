import type { Coordinates } from '@/lib/geolocation'

import type { Position } from './position-source'
import { Motion, type MotionState } from './motion/motion'

/** The distance east, as a share of the world's width in the web's projection. */
export function eastOf({ lng }: Coordinates): number {
  return (lng + 180) / 360
}

/** The distance south, likewise. */
export function southOf({ lat }: Coordinates): number {
  const sine = Math.sin((lat * Math.PI) / 180)
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
}

/** A marker as it is drawn. Places are shares of the world. */
interface FleetMarker {
  readonly id: string
  /** Chooses its look. */
  kind: number
  x: number
  y: number
  /** Radians clockwise from north; NaN until it has moved. */
  heading: number
  state: MotionState
}

interface Tracked {
  readonly marker: FleetMarker
  motion: Motion
  route: Coordinates[] | undefined
  /** Milliseconds of `performance.now()`: before, nothing of it changes. */
  changes: number
}

/** Many markers that move on between positions. A frame looks only at those that move. */
export class Fleet {
  readonly #tracked = new Map<string, Tracked>()
  #moves = 0
  #jumps = false

  get size(): number {
    return this.#tracked.size
  }

  /** Positions taken so far. */
  get moves(): number {
    return this.#moves
  }

  get(id: string): FleetMarker | undefined {
    return this.#tracked.get(id)?.marker
  }

  *all(): Generator<FleetMarker> {
    for (const { marker } of this.#tracked.values()) yield marker
  }

  /** With `jumps`, markers that are new from now on move with positions only. */
  setJumps(jumps: boolean): void {
    this.#jumps = jumps
  }

  /** Puts a marker where it was last seen, unless it is there already; `kind` chooses its look. */
  put(id: string, place: Coordinates, kind: number): void {
    const known = this.#tracked.get(id)
    if (known !== undefined) {
      known.marker.kind = kind
      return
    }
    const marker: FleetMarker = { id, kind, x: eastOf(place), y: southOf(place), heading: Number.NaN, state: 'measured' }
    this.#tracked.set(id, { marker, motion: new Motion({ jumps: this.#jumps }), route: undefined, changes: Number.POSITIVE_INFINITY })
  }

  /** Sets the street ahead of a marker. */
  setRoute(id: string, route: Coordinates[] | undefined, now: number): void {
    const tracked = this.#tracked.get(id)
    if (tracked === undefined || tracked.route === route) return
    tracked.route = route
    tracked.motion.setRoute(route ?? null, now)
    tracked.changes = tracked.motion.nextChange(now)
  }

  /** Removes the markers that are not named. */
  keepOnly(ids: { has: (id: string) => boolean }): void {
    for (const id of this.#tracked.keys()) if (!ids.has(id)) this.#tracked.delete(id)
  }

  /** Takes the next position of a marker. */
  move(id: string, position: Position, now: number): void {
    const tracked = this.#tracked.get(id)
    if (tracked === undefined) return
    tracked.motion.push(position, now)
    tracked.changes = now
    this.#moves += 1
  }

  /** Moves each marker to where it is now, and returns the time of the next change: now, while one moves. */
  advance(now: number): number {
    let next = Number.POSITIVE_INFINITY
    for (const tracked of this.#tracked.values()) {
      if (tracked.changes <= now) place(tracked, now)
      if (tracked.changes < next) next = tracked.changes
    }
    return next
  }
}

function place(tracked: Tracked, now: number): void {
  const { marker, motion } = tracked
  const moment = motion.at(now)
  tracked.changes = motion.nextChange(now)
  if (moment === null) return
  marker.x = eastOf(moment.place)
  marker.y = southOf(moment.place)
  marker.heading = moment.heading === null ? Number.NaN : (moment.heading * Math.PI) / 180
  marker.state = moment.state
}
