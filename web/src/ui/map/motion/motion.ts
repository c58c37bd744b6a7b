import type { Coordinates } from '@/lib/geolocation'
import { distance } from '@/ui/map/geo'

import { type Blend, blendDuration, left, NO_BLEND } from './blend'
import { DeviceClock } from './clock'
import { type Fix, FixFilter, type Verdict } from './fixes'
import { Interval, RESTING, rollingTime, travelled } from './pace'
import { metresBetween, moved } from './plane'
import { Route } from './route'
import { Track } from './track'

/** `guessing`: no fix came when one was due. `lost`: none came for a minute, and the marker rests. */
export type MotionState = 'measured' | 'guessing' | 'lost'

export interface Moment {
  place: Coordinates
  /** Degrees clockwise from north; null until a direction is known. */
  heading: number | null
  state: MotionState
  /** True while the driver is elsewhere than on the route. */
  offRoute: boolean
}

/** Metres from the route within which a fix is on it. */
const OFF_ROUTE = 40
/** No fix is on the route that is further away, however rough it is. */
const FAR = 100
/** Nearer than this it is on it again. */
const ON_ROUTE = 25
/** Metres backwards along the route, of one fix after the other, that show that the driver turned round. */
const BACKWARDS = 25
/** The fixes in a row that decide it. */
const ENOUGH = 2
/** Milliseconds without a fix. */
const GUESSING = 10_000
const LOST = 60_000
/** A device at rest sends a fix every 20 s only. */
const STILL = 45_000
/** The metres within which the fixes of a resting device lie. */
const WOBBLE = 8
/** A marker that is wrong by more than this jumps, in metres. */
const JUMP = 250

/** A driver's estimated motion from a fix on. */
interface Estimate {
  place: Coordinates
  /** Metres from the route's beginning; null beside it. */
  along: number | null
  /** Metres a second. */
  speed: number
  /** Degrees; null while it is unknown. */
  course: number | null
  /** The device's time of the fix, and our time until which fixes had arrived. */
  at: number
  arrived: number
}

/**
 * The driver on the street, between fixes too. Times are milliseconds of any one clock of ours; the clock of the
 * driver's device may be another. It has no timer: `at` answers for any moment after the last fix.
 */
export class Motion {
  readonly #jumps: boolean
  readonly #filter = new FixFilter()
  readonly #clock = new DeviceClock()
  readonly #interval = new Interval()
  readonly #track = new Track()
  #points: readonly Coordinates[] | null = null
  #route: Route | null = null
  #estimate: Estimate | null = null
  #blend: Blend = NO_BLEND
  #offRoute = false
  /** Fixes in a row that contradict what is believed: that the driver is on the route, or is not. */
  #contradicting = 0

  /** With `jumps` it moves with fixes only. */
  constructor({ jumps = false } = {}) {
    this.#jumps = jumps
  }

  /** Sets the street ahead; null where it is unknown. The same one again changes nothing. */
  setRoute(points: readonly Coordinates[] | null, now: number): void {
    if (isSame(points, this.#points)) return
    this.#points = points
    const drawn = this.#placeAt(now)
    this.#route = points === null ? null : Route.of(points)
    this.#offRoute = false
    this.#contradicting = 0
    const estimate = this.#estimate
    if (estimate === null) return
    const match = this.#route?.match(estimate.place, { along: null, course: estimate.course })
    const isOn = match !== undefined && match.away <= OFF_ROUTE
    this.#offRoute = match !== undefined && !isOn
    this.#track.leaveRoute()
    this.#estimate = { ...estimate, along: isOn ? match.along : null }
    this.#blendFrom(drawn, now)
  }

  /** The metres from the route's beginning; null while the driver is beside it. */
  alongAt(now: number): number | null {
    const estimate = this.#estimate
    if (estimate === null || estimate.along === null || this.#route === null) return null
    const along = estimate.along + this.#travelled(estimate, now) + this.#blend.ahead * left(this.#blend, now)
    return Math.min(this.#route.length, Math.max(0, along))
  }

  /** Takes a fix that arrived now. */
  push(fix: Fix, arrived: number): Verdict {
    const verdict = this.#filter.judge(fix, arrived)
    if (verdict !== 'good' && verdict !== 'moved') return verdict
    const at = Date.parse(fix.at)
    const drawn = this.#placeAt(arrived)
    this.#clock.observe(at, arrived)
    if (verdict === 'moved') this.#track.clear()
    const before = verdict === 'moved' ? null : this.#estimate
    if (before !== null) this.#interval.observe(at - before.at)
    const along = this.#match(fix, arrived, before)
    this.#track.take(fix, at, along)
    const { speed, course } = this.#track
    const stays = before !== null && (before.along === null) === (along === null) && distance(before.place, fix) <= WOBBLE
    const rests = stays && before.speed < RESTING && speed < RESTING
    const where = rests ? { place: before.place, along: before.along } : { place: { lat: fix.lat, lng: fix.lng }, along }
    this.#estimate = { ...where, speed, course, at, arrived }
    this.#blendFrom(drawn, arrived)
    return verdict
  }

  /** The driver at a moment; null before the first fix. */
  at(now: number): Moment | null {
    const estimate = this.#estimate
    const place = this.#placeAt(now)
    if (estimate === null || place === null) return null
    const along = this.alongAt(now)
    const heading = along === null || this.#route === null ? estimate.course : this.#route.headingAt(along)
    return { place, heading, state: this.#stateAt(estimate, now), offRoute: this.#offRoute }
  }

  /** Our time until which it moves, or its state changes next: it needs no drawing before. */
  nextChange(now: number): number {
    const estimate = this.#estimate
    if (estimate === null) return Number.POSITIVE_INFINITY
    const fix = this.#ours(estimate)
    const wears = this.#blend.start + this.#blend.duration
    const rolls = this.#jumps || estimate.speed < RESTING ? 0 : fix + Math.min(LOST, rollingTime(this.#interval.usual))
    if (now <= Math.max(wears, rolls)) return now
    return [fix + this.#guessesAfter(estimate.speed), fix + LOST].find((change) => change > now) ?? Number.POSITIVE_INFINITY
  }

  /** The place of a fix along the route, or null where it lies beside it. */
  #match(fix: Fix, arrived: number, before: Estimate | null): number | null {
    if (this.#route === null) return null
    const expected = before?.along == null ? null : before.along + this.#travelled(before, arrived)
    const moving = typeof fix.speed === 'number' && fix.speed > 2 && typeof fix.heading === 'number'
    const course = moving ? fix.heading ?? null : null
    const { along, away } = this.#route.match(fix, { along: expected, course })
    const turned = before?.along != null && along < before.along - BACKWARDS
    const contradicts = this.#offRoute ? away <= ON_ROUTE : away > Math.min(FAR, Math.max(OFF_ROUTE, fix.accuracy ?? 0)) || turned
    this.#contradicting = contradicts ? this.#contradicting + 1 : 0
    // The first fix decides alone: no belief is older.
    if (this.#contradicting >= (before === null ? 1 : ENOUGH)) {
      this.#offRoute = !this.#offRoute
      this.#contradicting = 0
    }
    if (this.#offRoute) return null
    return contradicts && expected !== null && !turned ? expected : along
  }

  /** Lets the drawn place go over into the estimated one. */
  #blendFrom(drawn: Coordinates | null, now: number): void {
    this.#blend = NO_BLEND
    const estimate = this.#estimate
    const target = this.#placeAt(now)
    if (drawn === null || target === null || estimate === null || this.#jumps) return
    const way = metresBetween(target, drawn)
    if (Math.hypot(way.east, way.north) > JUMP) return
    const { speed } = estimate
    if (this.#route === null || estimate.along === null) {
      this.#blend = { ahead: 0, beside: way, start: now, duration: blendDuration(0, speed) }
      return
    }
    const along = this.alongAt(now) ?? 0
    const match = this.#route.match(drawn, { along, course: null })
    const ahead = match.along - along
    this.#blend = { ahead, beside: metresBetween(this.#route.placeAt(match.along), drawn), start: now, duration: blendDuration(ahead, speed) }
  }

  #placeAt(now: number): Coordinates | null {
    const estimate = this.#estimate
    if (estimate === null) return null
    const share = left(this.#blend, now)
    const { east, north } = this.#blend.beside
    const along = this.alongAt(now)
    const place = along === null || this.#route === null ? this.#straight(estimate, now) : this.#route.placeAt(along)
    return share === 0 ? place : moved(place, east * share, north * share)
  }

  /** Beside a route it goes straight on. */
  #straight(estimate: Estimate, now: number): Coordinates {
    const way = this.#travelled(estimate, now)
    if (estimate.course === null || way === 0) return estimate.place
    const angle = (estimate.course * Math.PI) / 180
    return moved(estimate.place, Math.sin(angle) * way, Math.cos(angle) * way)
  }

  #travelled(estimate: Estimate, now: number): number {
    const until = this.#jumps ? estimate.arrived : now
    const since = Math.min(LOST, Math.max(0, until - this.#ours(estimate)))
    return travelled(estimate.speed, since / 1000, this.#interval.usual / 1000)
  }

  /** Our time of the estimate's fix. */
  #ours({ at, arrived }: Estimate): number {
    return Math.min(arrived, this.#clock.ours(at))
  }

  #stateAt(estimate: Estimate, now: number): MotionState {
    const since = now - this.#ours(estimate)
    if (since >= LOST) return 'lost'
    return since >= this.#guessesAfter(estimate.speed) ? 'guessing' : 'measured'
  }

  #guessesAfter(speed: number): number {
    return Math.max(speed < RESTING ? STILL : GUESSING, 2 * this.#interval.usual)
  }
}

function isSame(one: readonly Coordinates[] | null, other: readonly Coordinates[] | null): boolean {
  if (one === null || other === null) return one === other
  return one.length === other.length && one.every(({ lat, lng }, at) => lat === other[at]?.lat && lng === other[at]?.lng)
}
