import type { Coordinates } from '@/lib/geolocation'
import { text } from '@/lib/texts'
import type { Position } from '@/ui/map/position-source'
import { distance, isKnown } from '@/ui/map/geo'

/** The ratio of a street's length to the straight line. */
const DETOUR = 1.35
/** The pace of a scooter in metres a second: assumed before it moves, and the bounds. */
const USUAL_SPEED = 6
const MIN_SPEED = 3.5
const MAX_SPEED = 18
/** Seconds over which the pace is averaged. */
const AVERAGING_TIME = 45
/** Metres within which the driver is there. */
const ARRIVAL_RADIUS = 60

/** The driver's recent speed. */
export interface Pace {
  /** Metres a second. */
  speed: number
  last: Position | null
}

export const unknownPace: Pace = { speed: USUAL_SPEED, last: null }

/** The pace after another position: the device's speed, else the distance from the last position over its time. */
export function nextPace(before: Pace, position: Position): Pace {
  if (before.last === null) return { speed: before.speed, last: position }
  const seconds = (Date.parse(position.at) - Date.parse(before.last.at)) / 1000
  if (!(seconds > 0)) return before
  // After a gap the way across it is unknown.
  if (seconds > 60) return { speed: before.speed, last: position }
  const measured = typeof position.speed === 'number' && Number.isFinite(position.speed) && position.speed >= 0
  const current = Math.min(MAX_SPEED, measured ? Number(position.speed) : distance(before.last, position) / seconds)
  const weight = 1 - Math.exp(-seconds / AVERAGING_TIME)
  return { speed: before.speed + (current - before.speed) * weight, last: position }
}

interface Route {
  /** True until the driver has set out from the restaurant. */
  fetching: boolean
  driver: Coordinates | null
  restaurant: Coordinates
  destination: Coordinates
}

/** Metres of street still to go, by way of the restaurant where the food is still there; null where unknown. */
export function metresLeft({ fetching, driver, restaurant, destination }: Route): number | null {
  if (!isKnown(destination)) return null
  const from = isKnown(driver) ? driver : null
  if (fetching && isKnown(restaurant)) {
    return DETOUR * ((from === null ? 0 : distance(from, restaurant)) + distance(restaurant, destination))
  }
  return from === null ? null : DETOUR * distance(from, destination)
}

/** Seconds until the driver is there. */
export function secondsLeft(metres: number, speed: number): number {
  return metres / Math.min(MAX_SPEED, Math.max(MIN_SPEED, speed))
}

/** The time left, in words. */
export function etaText(metres: number, speed: number): string {
  if (metres < ARRIVAL_RADIUS) return text('tracking.arrivingNow')
  const minutes = Math.round(secondsLeft(metres, speed) / 60)
  if (minutes < 1) return text('tracking.lessThanAMinute')
  return text('tracking.minutes', { count: minutes })
}

/** A distance, in words. */
export function distanceText(metres: number): string {
  if (metres < 950) return text('tracking.metres', { count: Math.max(10, Math.round(metres / 10) * 10) })
  return text('tracking.kilometres', { count: (metres / 1000).toFixed(1) })
}

/** The age of a position in seconds; 0 if the device's clock is ahead. */
export function ageOf(at: string, now: number): number {
  return Math.max(0, Math.round((now - Date.parse(at)) / 1000))
}

/** The age of a position, in words. */
export function ageText(at: string, now: number): string {
  return text('tracking.updatedAgo', { seconds: ageOf(at, now) })
}
