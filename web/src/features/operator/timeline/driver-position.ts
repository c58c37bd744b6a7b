// The driver's position at a moment, between the sent positions.

import type { Coordinates } from '@/lib/geolocation'
import { headingBetween, headingOf, isKnown, placeBetween } from '@/ui/map/geo'

import { countUpTo, type TimelineEvent, POSITIONS } from './history'

/** The longest silence, in milliseconds, after which the way between two positions is unknown. */
const MAX_GAP = 60_000

/** A position of the driver. */
interface TimedPosition extends Coordinates {
  at: number
  heading: number | null
}

/** The driver's position at a moment, between two measured ones. */
export interface DriverPosition {
  place: Coordinates
  /** Degrees clockwise from north; null until the driver has moved. */
  heading: number | null
  /** The time of the driver's last position, in milliseconds. */
  lastSeen: number
  /** The route until then. */
  trail: Coordinates[]
}

/** The driver's positions, oldest first. */
export function positionsOf(history: TimelineEvent[]): TimedPosition[] {
  const positions: TimedPosition[] = []
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
export function driverPositionAt(positions: TimedPosition[], t: number): DriverPosition | null {
  const count = countUpTo(positions, t, 'at')
  const last = positions[count - 1]
  if (last === undefined) return null
  const next = positions[count]
  const trail = positions.slice(0, count)
  if (next === undefined || next.at - last.at > MAX_GAP) return { place: last, heading: last.heading, lastSeen: last.at, trail }
  const part = (t - last.at) / (next.at - last.at)
  const place = placeBetween(last, next, part)
  return { place, heading: headingBetween(last.heading, next.heading, part), lastSeen: last.at, trail: [...trail, place] }
}
