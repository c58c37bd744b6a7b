import { text } from '@/lib/texts'

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
