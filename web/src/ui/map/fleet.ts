import type { Coordinates } from '@/lib/geolocation'

import { glideDuration } from './glide'

const FULL = 2 * Math.PI
/** Below this share of the world a movement does not show the heading: three metres. */
const STEP = 3 / 40_075_000

/** The distance east, as a share of the world's width in the web's projection. */
export function eastOf({ lng }: Coordinates): number {
  return (lng + 180) / 360
}

/** The distance south, likewise. */
export function southOf({ lat }: Coordinates): number {
  const sine = Math.sin((lat * Math.PI) / 180)
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
}

/** A marker on its way. Places are shares of the world; times are milliseconds of `performance.now()`. */
interface FleetMarker {
  readonly id: string
  /** Chooses its look. */
  kind: number
  fromX: number
  fromY: number
  toX: number
  toY: number
  start: number
  duration: number
  /** Radians clockwise from north; NaN until it has moved. */
  heading: number
  arrived: number
}

export function progressOf(marker: FleetMarker, now: number): number {
  return marker.duration <= 0 ? 1 : Math.min(1, Math.max(0, (now - marker.start) / marker.duration))
}

/**
 * Many markers that glide from position to position. Each is one object that is changed in place: a position that
 * comes and a frame that is drawn leave nothing behind.
 */
export class Fleet {
  readonly #markers = new Map<string, FleetMarker>()
  #until = 0
  #moves = 0

  get size(): number {
    return this.#markers.size
  }

  /** Positions taken so far. */
  get moves(): number {
    return this.#moves
  }

  get(id: string): FleetMarker | undefined {
    return this.#markers.get(id)
  }

  all(): MapIterator<FleetMarker> {
    return this.#markers.values()
  }

  isMoving(now: number): boolean {
    return now < this.#until
  }

  /** Puts a marker where it was last seen, unless it is there already; `kind` chooses its look. */
  put(id: string, place: Coordinates, kind: number): void {
    const known = this.#markers.get(id)
    if (known !== undefined) {
      known.kind = kind
      return
    }
    const [x, y] = [eastOf(place), southOf(place)]
    this.#markers.set(id, {
      id,
      kind,
      fromX: x,
      fromY: y,
      toX: x,
      toY: y,
      start: 0,
      duration: 0,
      heading: Number.NaN,
      arrived: Number.NaN,
    })
  }

  /** Removes the markers that are not named. */
  keepOnly(ids: { has: (id: string) => boolean }): void {
    for (const id of this.#markers.keys()) if (!ids.has(id)) this.#markers.delete(id)
  }

  /** Lets a marker glide to its next place; `measured` is the device's heading in degrees. */
  move(id: string, place: Coordinates, measured: number | null | undefined, now: number, reducedMotion: boolean): void {
    const marker = this.#markers.get(id)
    if (marker === undefined) return
    const progress = progressOf(marker, now)
    const [x, y] = [eastOf(place), southOf(place)]
    const [stepX, stepY] = [x - marker.toX, y - marker.toY]
    marker.fromX += (marker.toX - marker.fromX) * progress
    marker.fromY += (marker.toY - marker.fromY) * progress
    marker.toX = x
    marker.toY = y
    marker.start = now
    marker.duration = reducedMotion || Number.isNaN(marker.arrived) ? 0 : glideDuration(now - marker.arrived)
    marker.arrived = now
    if (typeof measured === 'number') marker.heading = (measured / 360) * FULL
    else if (Math.hypot(stepX, stepY) > STEP) marker.heading = Math.atan2(stepX, -stepY)
    // At least one frame more, for one that jumps.
    this.#until = Math.max(this.#until, now + Math.max(marker.duration, 1))
    this.#moves += 1
  }
}
