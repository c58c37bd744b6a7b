// Where the driver was at a moment, between the positions that were told.

import { isKnown, type Place } from '@/ui/map/geo'
import { type Glide, headingAt, headingOf, placeAt } from '@/ui/map/glide'

import { countUntil, type Happening, POSITIONS } from './history'

/** After a longer silence than this, in milliseconds, nobody knows how the way was gone. */
const GAP = 60_000

/** A position of the driver. */
export interface Seen extends Place {
  at: number
  heading: number | null
}

/** Where the driver is taken to have been. */
export interface Whereabouts {
  place: Place
  /** Degrees clockwise from north; null until the driver has moved. */
  heading: number | null
  /** When the driver was last seen, in milliseconds. */
  seen: number
  /** The way until then. */
  trail: Place[]
}

/** The driver's positions, oldest first. */
export function positionsOf(history: Happening[]): Seen[] {
  const positions: Seen[] = []
  for (const { lane, at, event } of history) {
    if (lane !== POSITIONS || typeof event.data !== 'object' || event.data === null) continue
    const place = { lat: Number(Reflect.get(event.data, 'lat')), lng: Number(Reflect.get(event.data, 'lng')) }
    if (!isKnown(place)) continue
    const before = positions.at(-1)
    const told: unknown = Reflect.get(event.data, 'heading')
    const heading = headingOf(typeof told === 'number' ? told : null, before ?? place, place, before?.heading ?? null)
    positions.push({ ...place, at, heading })
  }
  return positions
}

/** Where the driver was; null before the first position. */
export function whereaboutsAt(positions: Seen[], t: number): Whereabouts | null {
  const count = countUntil(positions, t, 'at')
  const last = positions[count - 1]
  if (last === undefined) return null
  const next = positions[count]
  const trail = positions.slice(0, count)
  if (next === undefined || next.at - last.at > GAP) return { place: last, heading: last.heading, seen: last.at, trail }
  const glide: Glide = {
    from: last,
    to: next,
    fromHeading: last.heading,
    toHeading: next.heading,
    start: last.at,
    duration: next.at - last.at,
  }
  const place = placeAt(glide, t)
  return { place, heading: headingAt(glide, t), seen: last.at, trail: [...trail, place] }
}
