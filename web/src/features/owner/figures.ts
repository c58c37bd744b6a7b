import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { getFigures } from '@/api/generated/sdk.gen'
import { PLATFORM_ZONE } from '@/lib/format'
import { dates } from '@/lib/per-language'

/** The number of days that are added up. */
export const SPANS = [7, 30, 90] as const
export type Span = (typeof SPANS)[number]

const DAY = 86_400_000

/** The day so many days ago by the platform's clocks. Days are counted by the calendar: some have 23 or 25 hours. */
export function daysAgo(days: number, now = Date.now(), timeZone = PLATFORM_ZONE): string {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)
  return new Date(Date.parse(today) - days * DAY).toISOString().slice(0, 10)
}

function queryOf(period: { from: string; to?: string }, restaurantId: string) {
  const query = { ...period, ...(restaurantId === '' ? {} : { restaurantId }) }
  return queryOptions({
    queryKey: ['orders', 'figures', query],
    queryFn: ({ signal }) => getFigures({ query, signal }),
    placeholderData: keepPreviousData,
  })
}

/** The figures of the owner's restaurants, or of one of them; stale with the orders. */
export function figuresQuery(span: Span, restaurantId: string) {
  return queryOf({ from: daysAgo(span - 1) }, restaurantId)
}

/** The figures of as many days before. */
export function previousFiguresQuery(span: Span, restaurantId: string) {
  return queryOf({ from: daysAgo(2 * span - 1), to: daysAgo(span) }, restaurantId)
}

const dayOfMonth = dates({ day: 'numeric', month: 'short', timeZone: 'UTC' }, { day: '2-digit', month: '2-digit', timeZone: 'UTC' })

/** A day without its year. */
export function dayMark(date: string): string {
  return dayOfMonth().format(new Date(date))
}
