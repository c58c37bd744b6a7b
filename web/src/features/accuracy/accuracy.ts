import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { getAccuracy } from '@/api/generated/sdk.gen'
import type { AccuracyScore } from '@/api/generated/types.gen'
import { PLATFORM_ZONE } from '@/lib/format'
import { text } from '@/lib/texts'

/** The share of ranges that are meant to hold. */
export const GOAL = 0.8
/** The number of ranges from which a share says something. */
const ENOUGH = 10

const HOUR = 3_600_000

/** The scores of the last days: of the owner's restaurants, all for an administrator. */
export function accuracyQuery(days: number) {
  return queryOptions({
    queryKey: ['accuracy', days],
    queryFn: ({ signal }) => getAccuracy({ query: { days }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** True if the score is of so few ranges that its shares would mislead. */
export function isTooFew({ shown }: Pick<AccuracyScore, 'shown'>): boolean {
  return shown < ENOUGH
}

/** A part of the ranges as a share; as a number where they are too few. */
export function shareText(part: number, score: Pick<AccuracyScore, 'shown'>): string {
  const { shown } = score
  return isTooFew(score) ? text('accuracy.partOf', { part, shown }) : text('accuracy.percent', { share: part / shown })
}

/** The scores of hours, from midnight on by the platform's clocks. */
export function inLocalOrder(scores: readonly AccuracyScore[]): AccuracyScore[] {
  return [...scores].sort((a, b) => localTime(a.hour ?? 0).localeCompare(localTime(b.hour ?? 0)))
}

/** An hour in UTC as a span of the platform's clocks, as they go now. */
export function hourText(hour: number, now = Date.now(), timeZone = PLATFORM_ZONE): string {
  return `${localTime(hour, now, timeZone)}–${localTime(hour + 1, now, timeZone)}`
}

function localTime(hour: number, now = Date.now(), timeZone = PLATFORM_ZONE): string {
  const offset = offsetAt(now, timeZone)
  return new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' }).format(hour * HOUR + offset)
}

/** The lead of a zone's clocks over UTC at a moment, in milliseconds. */
function offsetAt(now: number, timeZone: string): number {
  const minute = now - (now % 60_000)
  const clocks = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(minute)
  return Date.parse(`${clocks.replace(' ', 'T')}Z`) - minute
}

/** The classes of time left begin at these minutes. */
const LEADS = [0, 5, 10, 20, 30, 45]

/** A class of the time left, by its first minute. */
export function leadText(from: number): string {
  const to = LEADS.find((lead) => lead > from)
  return to === undefined ? text('accuracy.leadFrom', { from }) : text('accuracy.leadRange', { from, to })
}
