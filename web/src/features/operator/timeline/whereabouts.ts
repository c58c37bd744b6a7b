// The driver's place at a moment, between the sent positions.

import { isKnown, type Place } from '@/ui/map/geo'
import { type Glide, headingAt, headingOf, placeAt } from '@/ui/map/glide'

import { countUntil, type Happening, POSITIONS } from './history'

/** The longest silence, in milliseconds, after which the way between two positions is unknown. */
const GAP = 60_000

/** A position of the driver. */
export interface Seen extends Place {
  at: number
  heading: number | null
}

/** The assumed place of the driver. */
export interface Whereabouts {
  place: Place
  /** Degrees clockwise from north; null until the driver has moved. */
  heading: number | null
  /** The time of the driver's last position, in milliseconds. */
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
    const measured: unknown = Reflect.get(event.data, 'heading')
    const heading = headingOf(typeof measured === 'number' ? measured : null, before ?? place, place, before?.heading ?? null)
    positions.push({ ...place, at, heading })
  }
  return positions
}

/** The driver's place; null before the first position. */
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
