import { readdirSync } from 'node:fs'
import path from 'node:path'

import { expect, test } from 'vitest'

import { distance } from '../../src/ui/map/geo'

import { type Conditions, drive, type Measures, newMeasures } from './marker/drive'
import { crowded } from './marker/crowd'
import { DeadReckoning, Glide, Jump, type Marker, Tiffin } from './marker/rivals'
import { readTracks, type Track } from './marker/tracks'

/** Metres at the median, metres beside the street at p95, the share of resting while the vehicle moves. */
const BOUNDS = { error: 12, offStreet: 5, resting: 0.1 }
/** The drivers on the administrators' map, and the milliseconds of a frame that they may take. */
const DRIVERS = 500
const FRAME = 8

const CONDITIONS: Conditions[] = [5, 15].flatMap((interval) => [0, 6].map((noise) => ({ interval, noise })))

const markers: Record<string, () => Marker> = {
  jump: () => new Jump(),
  'glide of a second': () => new Glide(),
  'straight on': () => new DeadReckoning(),
  'Tiffin’s marker': () => new Tiffin({ street: true, speed: true }),
  'without device’s speed': () => new Tiffin({ street: true, speed: false }),
  'without a route': () => new Tiffin({ street: false, speed: true }),
}

test('a marker on recorded tracks', () => {
  const tracks = heldOut()
  process.stdout.write(`\n${aboutThem(tracks)}`)
  for (const conditions of CONDITIONS) {
    process.stdout.write(`\n${headingOf(conditions)}`)
    for (const [name, newMarker] of Object.entries(markers)) {
      const measures = newMeasures()
      for (const track of tracks) drive(track, conditions, newMarker(), measures)
      process.stdout.write(`  ${name.padEnd(24)}${rowOf(measures)}\n`)
      if (name !== 'Tiffin’s marker') continue
      const given = `every ${String(conditions.interval)} s, ${String(conditions.noise)} m wrong`
      expect.soft(quantile(measures.errors, 0.5), `median error, ${given}`).toBeLessThanOrEqual(BOUNDS.error)
      expect.soft(quantile(measures.offStreet, 0.95), `off the street, ${given}`).toBeLessThanOrEqual(BOUNDS.offStreet)
      expect.soft(measures.resting / measures.moving, `resting, ${given}`).toBeLessThanOrEqual(BOUNDS.resting)
    }
  }
})

test('the markers of a whole town', () => {
  for (const withRoutes of [false, true]) {
    const frame = crowded(DRIVERS, withRoutes)
    process.stdout.write(`\n${String(DRIVERS)} drivers ${withRoutes ? 'with' : 'without'} routes: ${frame.toFixed(2)} ms a frame (at most ${String(FRAME)})\n`)
    expect.soft(frame, 'milliseconds a frame').toBeLessThan(FRAME)
  }
})

/** Every second recording: the marker's numbers were chosen on the others. */
function heldOut(): Track[] {
  const folder = process.env.TIFFIN_TRACKS
  if (folder === undefined) throw new Error('TIFFIN_TRACKS, the folder of recorded tracks: run cargo xtask bench marker')
  const files = readdirSync(folder).filter((name) => /\.(gpx|tcx|pwx)$/.test(name)).toSorted()
  return files.filter((_, at) => at % 2 === 1).flatMap((name) => readTracks(path.join(folder, name)))
}

function aboutThem(tracks: Track[]): string {
  const hours = (track: Track) => ((track.samples.at(-1)?.at ?? 0) - (track.samples[0]?.at ?? 0)) / 3_600_000
  const metres = ({ samples }: Track) => samples.reduce((way, sample, at) => way + distance(samples[at - 1] ?? sample, sample), 0)
  const total = (of: (track: Track) => number, some: Track[]) => some.reduce((sum, track) => sum + of(track), 0)
  const names = [...new Set(tracks.map(({ name }) => name))]
  const lines = names.map((name) => {
    const parts = tracks.filter((track) => track.name === name)
    return `  ${name.padEnd(38)}${(total(metres, parts) / 1000).toFixed(1).padStart(7)} km${total(hours, parts).toFixed(2).padStart(7)} h\n`
  })
  return (
    `${String(names.length)} recordings of bicycles, a place each second or two, of GoldenCheetah's test data (GPL 2 or later)\n` +
    `  ${'together'.padEnd(38)}${(total(metres, tracks) / 1000).toFixed(1).padStart(7)} km${total(hours, tracks).toFixed(2).padStart(7)} h\n` +
    lines.join('') +
    '  The street is the track itself, smoothed and without its times, in ways of 4 km: no map of these places is at hand.\n' +
    '  The vehicle is where its recording says. Clocks differ by 90 s, and fixes arrive after 0.1 to 0.4 s.\n'
  )
}

function headingOf({ interval, noise }: Conditions): string {
  const wrong = noise === 0 ? 'as recorded' : `${String(noise)} m wrong besides`
  return `a fix every ${String(interval)} s, ${wrong}\n${' '.repeat(26)}median     p95   off the street p95   rests while the vehicle moves\n`
}

function rowOf({ errors, offStreet, moving, resting }: Measures): string {
  const metres = (value: number, width: number) => `${value.toFixed(1).padStart(width)} m`
  const share = `${((100 * resting) / moving).toFixed(1)} %`
  return `${metres(quantile(errors, 0.5), 6)}${metres(quantile(errors, 0.95), 6)}${metres(quantile(offStreet, 0.95), 19)}${share.padStart(31)}`
}

function quantile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
}
