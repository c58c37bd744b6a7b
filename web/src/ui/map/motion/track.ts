import type { Fix } from './fixes'
import { RESTING } from './pace'
import { bearingOf, metresBetween } from './plane'

/** The speed between fixes is that over so many milliseconds, where there are more of them. */
const SPAN = 4000
/** The metres that show a direction. */
const DIRECTION = 5
/** No vehicle of a driver is faster, in metres a second. */
const FASTEST = 45
/** A device that measures no speed may say zero. After so many fixes on the move that do, it is not believed. */
const ZEROS = 3

interface Taken {
  fix: Fix
  at: number
  /** Metres from the route's beginning; null beside it. */
  along: number | null
}

/** The last fixes, with the speed and course that they tell. */
export class Track {
  #last: Taken[] = []
  #zeros = 0
  #speed = 0
  #course: number | null = null

  /** Metres a second. */
  get speed(): number {
    return this.#speed
  }

  /** Degrees clockwise from north; null until a direction is known. */
  get course(): number | null {
    return this.#course
  }

  clear(): void {
    this.#last = []
  }

  /** Forgets the places along a route that is not the route any more. */
  leaveRoute(): void {
    for (const taken of this.#last) taken.along = null
  }

  /** Takes the next fix; `at` is the device's time in milliseconds. */
  take(fix: Fix, at: number, along: number | null): void {
    const next = { fix, at, along }
    const from = this.#last.findLast((taken) => at - taken.at >= SPAN) ?? this.#last[0]
    this.#last = [...this.#last.slice(this.#last.findIndex((taken) => taken === from)), next]
    this.#speed = this.#speedOf(fix, from === undefined ? null : speedBetween(from, next))
    if (typeof fix.heading === 'number' && Number.isFinite(fix.heading)) this.#course = ((fix.heading % 360) + 360) % 360
    else if (from !== undefined) {
      const way = metresBetween(from.fix, fix)
      if (Math.hypot(way.east, way.north) >= DIRECTION) this.#course = bearingOf(way)
    }
  }

  /** The device's speed where it can be right, else that between the last fixes. */
  #speedOf({ speed }: Fix, between: number | null): number {
    if (typeof speed !== 'number' || !(speed >= 0 && speed <= FASTEST)) return between ?? 0
    this.#zeros = speed < RESTING && between !== null && between > 3 * RESTING ? this.#zeros + 1 : 0
    return this.#zeros >= ZEROS ? (between ?? 0) : speed
  }
}

/** Metres a second; along the street where both are on it. */
function speedBetween(from: Taken, to: Taken): number {
  const { east, north } = metresBetween(from.fix, to.fix)
  const way = from.along !== null && to.along !== null ? Math.max(0, to.along - from.along) : Math.hypot(east, north)
  return Math.min(FASTEST, way / Math.max(0.1, (to.at - from.at) / 1000))
}
