import type { Delivery } from '@/api/generated/types.gen'
import { clockRangeText } from '@/lib/clock-range'
import { clockText } from '@/lib/format'
import { text } from '@/lib/texts'

const MINUTE = 60_000

/** The time in which the delivery should arrive, as the server says it. Both ends are to the minute. */
export interface ArrivalRange {
  earliest: string
  latest: string
  /** True if the route is unknown, or the range may be an old one. */
  isRough: boolean
}

/** The range of a delivery; null without one. */
export function arrivalOf({ earliestArrival, latestArrival }: Delivery, isRough: boolean): ArrivalRange | null {
  return earliestArrival && latestArrival ? { earliest: earliestArrival, latest: latestArrival, isRough } : null
}

/** True once the last minute of the range is over. */
export function isLate({ latest }: ArrivalRange, now: number): boolean {
  return now >= Date.parse(latest) + MINUTE
}

/** The range in words: clock times, or that they have passed. */
export function arrivalText(range: ArrivalRange, now: number): string {
  if (isLate(range, now)) return text('tracking.late')
  const times = clockRangeText(range.earliest, range.latest)
  return range.isRough ? text('tracking.about', { range: times }) : times
}

/** The minutes until then; once it is late, the time that was expected. */
export function timeLeftText(range: ArrivalRange, now: number): string {
  if (isLate(range, now)) return text('tracking.lateSince', { time: clockText(range.latest) })
  const from = Math.floor((Date.parse(range.earliest) - now) / MINUTE)
  const to = Math.max(1, Math.ceil((Date.parse(range.latest) - now) / MINUTE))
  return from < 1 ? text('tracking.withinMinutes', { to }) : text('tracking.inMinutes', { from, to })
}

/** The range as a sentence. */
export function arrivalSentence(range: ArrivalRange, now: number): string {
  const [from, to] = [clockText(range.earliest), clockText(range.latest)]
  if (isLate(range, now)) return text('tracking.announceLate', { time: to })
  return text(range.isRough ? 'tracking.announceAboutArrival' : 'tracking.announceArrival', { from, to })
}
