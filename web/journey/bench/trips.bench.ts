import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { expect, test } from 'vitest'

import type { Coordinates } from '../../src/lib/geolocation'
import { distance } from '../../src/ui/map/geo'

import { streetOf } from './marker/street'
import { readTracks, type Sample, type Track } from './marker/tracks'

/** Metres of street of a trip. Each next one of a recording has another of these lengths. */
const LENGTHS = [1200, 2400, 3600, 1800, 5000, 3000]
/** The parts of a trip's time at which its arrival is forecast. */
const MOMENTS = [0, 0.25, 0.5, 0.75]

/** A forecast to be made and judged, with what there is to know at its moment. */
interface Question {
  /** Metres of street to the end. */
  metresLeft: number
  secondsLeft: number
  /** The answer of a straight line with a detour and the pace of the last seconds. */
  straightSeconds: number
}

interface Trip {
  rider: string
  /** Milliseconds since 1970. */
  startedAt: number
  metres: number
  seconds: number
  questions: Question[]
}

test('trips of recorded tracks', () => {
  const [tracks, out] = [process.env.TIFFIN_TRACKS, process.env.TIFFIN_TRIPS]
  if (tracks === undefined || out === undefined) throw new Error('TIFFIN_TRACKS and TIFFIN_TRIPS: run cargo xtask bench eta')
  const files = readdirSync(tracks).filter((name) => /\.(gpx|tcx|pwx)$/.test(name))
  const trips = files.flatMap((name) => readTracks(path.join(tracks, name)).flatMap(tripsOf))
  expect(trips.length).toBeGreaterThan(20)
  writeFileSync(out, JSON.stringify(trips))
})

/** Consecutive trips. */
function tripsOf({ name, samples }: Track): Trip[] {
  const trips: Trip[] = []
  let from = 0
  while (from < samples.length) {
    const wanted = LENGTHS[trips.length % LENGTHS.length] ?? 0
    const end = endOf(samples, from, wanted)
    if (end === null) break
    trips.push(tripOf(name, samples.slice(from, end + 1)))
    from = end
  }
  return trips
}

/** The index of the sample at which a trip of so many metres ends. */
function endOf(samples: Sample[], from: number, wanted: number): number | null {
  let metres = 0
  for (let at = from + 1; at < samples.length; at += 1) {
    const [before, sample] = [samples[at - 1], samples[at]]
    if (before === undefined || sample === undefined) return null
    metres += distance(before, sample)
    if (metres >= wanted) return at
  }
  return null
}

function tripOf(rider: string, samples: Sample[]): Trip {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined) throw new Error('a trip without samples')
  const duration = last.at - first.at
  const questions = MOMENTS.map((moment) => {
    const at = samples.findIndex((sample) => sample.at >= first.at + moment * duration)
    const here = samples[at] ?? last
    return {
      metresLeft: lengthOf(streetOf(samples.slice(at))),
      secondsLeft: (last.at - here.at) / 1000,
      straightSeconds: (1.35 * distance(here, last)) / paceOf(samples.slice(0, at + 1)),
    }
  })
  return { rider, startedAt: first.at, metres: lengthOf(streetOf(samples)), seconds: duration / 1000, questions }
}

function lengthOf(street: Coordinates[]): number {
  return street.reduce((sum, point, at) => sum + distance(street[at - 1] ?? point, point), 0)
}

/** The pace of a scooter, corrected by what was seen of the last 45 seconds; metres a second. */
function paceOf(seen: Sample[]): number {
  let pace = 6
  for (const [index, sample] of seen.entries()) {
    const before = seen[index - 1]
    if (before === undefined) continue
    const seconds = (sample.at - before.at) / 1000
    pace += (Math.min(18, distance(before, sample) / seconds) - pace) * (1 - Math.exp(-seconds / 45))
  }
  return Math.min(18, Math.max(3.5, pace))
}
