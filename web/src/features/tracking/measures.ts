import type { DeliveryRoute } from '@/api/generated/types.gen'
import { text } from '@/lib/texts'

/** Metres still to go, by way of the restaurant while the food is there; null off known streets. */
export function metresLeft(route: DeliveryRoute | undefined, along: number | null): number | null {
  const legs = [route?.toRestaurant, route?.toDestination].filter((leg) => leg != null)
  if (along === null || route?.toDestination == null || legs.some(({ basis }) => basis === 'straight')) return null
  return Math.max(0, legs.reduce((sum, { metres }) => sum + metres, 0) - along)
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
