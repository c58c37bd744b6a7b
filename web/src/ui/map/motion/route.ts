import type { Coordinates } from '@/lib/geolocation'

import { bearingOf, type Metres, metresBetween, METRES_OF_DEGREE, narrowing } from './plane'

/** The heading of a place is that of the line from so many metres before it to as many after it. */
const SPAN = 5
/** The price of being elsewhere along the way than expected, in metres of distance from the street for each metre. */
const BEYOND = 0.08
/** The same for a place behind the expected one: vehicles seldom drive backwards. */
const BEHIND = 0.16
/** The price of going against the direction of the street. */
const AGAINST = 20
/** A first place lies rather at the beginning. */
const FIRST = 0.002

/** The place of a route that is nearest to another place. */
export interface Match {
  /** Metres from the route's beginning. */
  along: number
  /** Metres from the street. */
  away: number
}

/** The expectation of a match: the place along the way, and the course of the vehicle in degrees. */
export interface Expected {
  along: number | null
  course: number | null
}

/** The street ahead: a line of places with the lengths between them. */
export class Route {
  readonly #x: Float64Array
  readonly #y: Float64Array
  readonly #along: Float64Array
  readonly #origin: Coordinates
  readonly #narrowing: number

  /** Null where the points make no line. */
  static of(points: readonly Coordinates[]): Route | null {
    const line = points.filter((point, at) => {
      const before = points[at - 1]
      return Number.isFinite(point.lat + point.lng) && (before === undefined || before.lat !== point.lat || before.lng !== point.lng)
    })
    const first = line[0]
    return first === undefined || line.length < 2 ? null : new Route(line, first)
  }

  private constructor(line: Coordinates[], origin: Coordinates) {
    this.#origin = origin
    this.#narrowing = narrowing(origin.lat)
    this.#x = new Float64Array(line.length)
    this.#y = new Float64Array(line.length)
    this.#along = new Float64Array(line.length)
    for (const [at, point] of line.entries()) {
      const { east, north } = this.#metres(point)
      this.#x[at] = east
      this.#y[at] = north
      if (at > 0) this.#along[at] = this.#alongOf(at - 1) + Math.hypot(east - this.#xOf(at - 1), north - this.#yOf(at - 1))
    }
  }

  /** Metres. */
  get length(): number {
    return this.#alongOf(this.#along.length - 1)
  }

  /** The place so many metres from the beginning. */
  placeAt(along: number): Coordinates {
    const { east, north } = this.#pointAt(along)
    return { lat: this.#origin.lat + north / METRES_OF_DEGREE, lng: this.#origin.lng + east / (METRES_OF_DEGREE * this.#narrowing) }
  }

  /** Degrees clockwise from north. */
  headingAt(along: number): number {
    const middle = Math.min(this.length - 1, Math.max(1, along))
    const before = this.#pointAt(middle - SPAN)
    const after = this.#pointAt(middle + SPAN)
    return bearingOf({ east: after.east - before.east, north: after.north - before.north })
  }

  /** The places so far, up to so many metres from the beginning; and the places from there. */
  split(along: number): [driven: Coordinates[], ahead: Coordinates[]] {
    const here = this.placeAt(along)
    const next = this.#segmentAt(along) + 1
    const points = Array.from(this.#along, (_, at) => this.placeAt(this.#alongOf(at)))
    return [[...points.slice(0, next), here], [here, ...points.slice(next)]]
  }

  /** The nearest place of the route, near the expected one where the route passes more than once. */
  match(place: Coordinates, expected: Expected): Match {
    const { east, north } = this.#metres(place)
    const best = { along: 0, away: Number.POSITIVE_INFINITY }
    let lowest = Number.POSITIVE_INFINITY
    for (let at = 0; at + 1 < this.#along.length; at += 1) {
      const [x, y] = [this.#xOf(at), this.#yOf(at)]
      const [dx, dy] = [this.#xOf(at + 1) - x, this.#yOf(at + 1) - y]
      const length = this.#alongOf(at + 1) - this.#alongOf(at)
      const part = Math.min(1, Math.max(0, ((east - x) * dx + (north - y) * dy) / (length * length)))
      const away = Math.hypot(x + dx * part - east, y + dy * part - north)
      if (away >= lowest) continue
      const along = this.#alongOf(at) + length * part
      const price = away + priceOf(along, expected) + courseOf(dx / length, dy / length, expected.course)
      if (price >= lowest) continue
      lowest = price
      best.along = along
      best.away = away
    }
    return best
  }

  #metres(place: Coordinates): Metres {
    return metresBetween(this.#origin, place, this.#narrowing)
  }

  #pointAt(along: number): Metres {
    const at = this.#segmentAt(along)
    const start = this.#alongOf(at)
    const part = Math.min(1, Math.max(0, (along - start) / (this.#alongOf(at + 1) - start)))
    const [x, y] = [this.#xOf(at), this.#yOf(at)]
    return { east: x + (this.#xOf(at + 1) - x) * part, north: y + (this.#yOf(at + 1) - y) * part }
  }

  /** The index of the part of the line that contains a place. */
  #segmentAt(along: number): number {
    let low = 0
    let high = this.#along.length - 2
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#alongOf(middle) <= along) low = middle
      else high = middle - 1
    }
    return low
  }

  #xOf(at: number): number {
    return this.#x[at] ?? 0
  }

  #yOf(at: number): number {
    return this.#y[at] ?? 0
  }

  #alongOf(at: number): number {
    return this.#along[at] ?? 0
  }
}

function priceOf(along: number, expected: Expected): number {
  if (expected.along === null) return FIRST * along
  const beyond = along - expected.along
  return beyond < 0 ? -beyond * BEHIND : beyond * BEYOND
}

function courseOf(east: number, north: number, course: number | null): number {
  if (course === null) return 0
  const angle = (course * Math.PI) / 180
  const cosine = east * Math.sin(angle) + north * Math.cos(angle)
  return ((1 - cosine) / 2) * AGAINST
}
