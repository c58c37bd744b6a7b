import type { Coordinates } from '../../../src/lib/geolocation'
import { bearing, distance } from '../../../src/ui/map/geo'
import type { Fix } from '../../../src/ui/map/motion/fixes'
import { moved } from '../../../src/ui/map/motion/plane'
import { Route } from '../../../src/ui/map/motion/route'

import type { Marker } from './rivals'
import { streetOf } from './street'
import { type Sample, type Track, Truth } from './tracks'

/** Milliseconds between two looks at the marker. */
const FRAME = 200
/** Metres of a delivery's way: then the marker is given the next one. */
const LEG = 4000
/** The delay of a fix, in milliseconds: at least, and the part that varies. */
const DELAY = [120, 260] as const
/** The device's clock is so many milliseconds behind. */
const CLOCK = 90_000
/** Faster than this a vehicle moves, and slower than that a marker rests. In metres a second. */
const MOVING = 1.5
const RESTING = 0.3

/** Seconds between fixes, and the metres by which each is wrong besides, in a random direction. */
export interface Conditions {
  interval: number
  noise: number
}

/** The measurements of a marker. */
export interface Measures {
  /** Metres from the vehicle at each look. */
  errors: number[]
  /** Metres from the street at each look. */
  offStreet: number[]
  /** Looks at which the vehicle moved, and those of them at which the marker did not. */
  moving: number
  resting: number
}

export function newMeasures(): Measures {
  return { errors: [], offStreet: [], moving: 0, resting: 0 }
}

/** Shows a marker every `interval` seconds where the vehicle is, and compares in between. */
export function drive({ samples }: Track, { interval, noise }: Conditions, marker: Marker, measures: Measures): void {
  const legs = legsOf(samples)
  const fixes = thinned(samples, interval, noise)
  const truth = new Truth(samples)
  const ahead = new Truth(samples)
  let street: Route | null = null
  let before: Coordinates | null = null
  const end = samples.at(-1)?.at ?? 0
  for (let now = fixes[0]?.arrived ?? end; now < end - 1000; now += FRAME) {
    for (let leg = legs[0]; leg !== undefined && leg.begins <= now; leg = legs[0]) {
      street = Route.of(leg.street)
      marker.setRoute(leg.street, now)
      legs.shift()
    }
    for (let next = fixes[0]; next !== undefined && next.arrived <= now; next = fixes[0]) {
      marker.push(next.fix, next.arrived)
      fixes.shift()
    }
    const vehicle = truth.at(now)
    const place = marker.placeAt(now)
    measures.errors.push(distance(place, vehicle))
    measures.offStreet.push(street?.match(place, { along: null, course: null }).away ?? 0)
    const speed = distance(vehicle, ahead.at(now + 1000))
    if (before !== null && speed > MOVING) {
      measures.moving += 1
      if (distance(before, place) < (RESTING * FRAME) / 1000) measures.resting += 1
    }
    before = place
  }
}

/** The ways of a track, one after the other, each known from when it begins. */
function legsOf(samples: Sample[]): { begins: number; street: Coordinates[] }[] {
  const legs: { begins: number; street: Coordinates[] }[] = []
  let leg: Sample[] = []
  let way = 0
  for (const sample of samples) {
    const last = leg.at(-1)
    way += last === undefined ? 0 : distance(last, sample)
    leg.push(sample)
    if (way < LEG && sample !== samples.at(-1)) continue
    legs.push({ begins: leg[0]?.at ?? 0, street: streetOf(leg) })
    leg = [sample]
    way = 0
  }
  return legs.filter(({ street }) => street.length > 1)
}

/** Every so many seconds a fix, as a phone measures it: the speed and heading of the last two seconds. */
function thinned(samples: Sample[], interval: number, noise: number): { fix: Fix; arrived: number }[] {
  const fixes: { fix: Fix; arrived: number }[] = []
  let due = Number.NEGATIVE_INFINITY
  for (const [at, sample] of samples.entries()) {
    const before = samples.slice(Math.max(0, at - 10), at).findLast((one) => sample.at - one.at >= 1900) ?? samples[at - 1]
    if (sample.at < due || before === undefined) continue
    due = sample.at + interval * 1000
    const way = distance(before, sample)
    const [chance, other] = [chanceOf(at), chanceOf(at + 0.5)]
    const wrong = noise * Math.sqrt(-2 * Math.log(1 - chance)) * Math.SQRT1_2
    const place = moved(sample, wrong * Math.cos(2 * Math.PI * other), wrong * Math.sin(2 * Math.PI * other))
    fixes.push({
      fix: {
        ...place,
        at: new Date(sample.at - CLOCK).toISOString(),
        speed: (way / (sample.at - before.at)) * 1000,
        heading: way > 2 ? bearing(before, sample) : null,
        accuracy: 8,
      },
      arrived: sample.at + DELAY[0] + chance * DELAY[1],
    })
  }
  return fixes
}

/** An even chance from 0 to 1, the same in each run. */
function chanceOf(seed: number): number {
  const wave = Math.sin(seed * 12.9898) * 43_758.5453
  return wave - Math.floor(wave)
}
