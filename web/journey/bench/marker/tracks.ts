import { readFileSync } from 'node:fs'
import path from 'node:path'

import type { Coordinates } from '../../../src/lib/geolocation'
import { distance } from '../../../src/ui/map/geo'

/** A place at a time, in milliseconds. */
export interface Sample extends Coordinates {
  at: number
}

/** A recorded ride without gaps. */
export interface Track {
  name: string
  samples: Sample[]
}

/** Seconds without a sample that divide a recording. */
const GAP = 10
/** Metres a second that no such vehicle drives. */
const FASTEST = 25
/** The longest part of one recording, so that none outweighs the others; and the shortest of use. In seconds. */
const LONGEST = 2 * 3600
const SHORTEST = 300

/** The patterns of a sample and its parts, by format. */
const formats = {
  '.gpx': { sample: /<trkpt.*?<\/trkpt>/gs, lat: /lat="([^"]+)"/, lng: /lon="([^"]+)"/, time: /<time>([^<]+)/ },
  '.tcx': { sample: /<Trackpoint>.*?<\/Trackpoint>/gs, lat: /<LatitudeDegrees>([^<]+)/, lng: /<LongitudeDegrees>([^<]+)/, time: /<Time>([^<]+)/ },
  '.pwx': { sample: /<sample>.*?<\/sample>/gs, lat: /<lat>([^<]+)/, lng: /<lon>([^<]+)/, time: /<timeoffset>([^<]+)/ },
}

/** The rides of a recording: a GPX, TCX or PWX file. */
export function readTracks(file: string): Track[] {
  const format = Object.entries(formats).find(([ending]) => file.endsWith(ending))?.[1]
  if (format === undefined) throw new Error(`the format of ${file} is unknown`)
  const samples: Sample[] = []
  for (const [text] of readFileSync(file, 'utf8').matchAll(format.sample)) {
    const [lat, lng, time] = [format.lat, format.lng, format.time].map((part) => part.exec(text)?.[1])
    if (lat === undefined || lng === undefined || time === undefined) continue
    const at = /^[\d.]+$/.test(time) ? Number(time) * 1000 : Date.parse(time)
    samples.push({ lat: Number(lat), lng: Number(lng), at })
  }
  const name = path.basename(file)
  return divided(samples).map((part) => ({ name, samples: part }))
}

/** The parts of a recording between its gaps. */
function divided(samples: Sample[]): Sample[][] {
  const parts: Sample[][] = []
  let part: Sample[] = []
  let seconds = 0
  const end = () => {
    const [first, last] = [part[0], part.at(-1)]
    if (first !== undefined && last !== undefined && last.at - first.at >= SHORTEST * 1000) parts.push(part)
    part = []
  }
  for (const sample of samples) {
    const before = part.at(-1)
    if (before !== undefined) {
      const passed = (sample.at - before.at) / 1000
      if (passed <= 0) continue
      if (passed > GAP || distance(before, sample) > FASTEST * passed) end()
      else seconds += passed
    }
    if (seconds > LONGEST) break
    part.push(sample)
  }
  end()
  return parts
}

/** The recorded place at a moment, straight between two samples. */
export class Truth {
  readonly #samples: Sample[]
  #next = 1

  constructor(samples: Sample[]) {
    this.#samples = samples
  }

  /** Moments may only grow. */
  at(now: number): Coordinates {
    while (this.#next < this.#samples.length - 1 && (this.#samples[this.#next]?.at ?? now) < now) this.#next += 1
    const [from, to] = [this.#samples[this.#next - 1], this.#samples[this.#next]]
    if (from === undefined || to === undefined) throw new Error('a track of one sample')
    const part = Math.min(1, Math.max(0, (now - from.at) / (to.at - from.at)))
    return { lat: from.lat + (to.lat - from.lat) * part, lng: from.lng + (to.lng - from.lng) * part }
  }
}
