import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { getFigures } from '@/api/generated/sdk.gen'
import { PLATFORM_ZONE } from '@/lib/format'
import { dates } from '@/lib/per-language'

/** The number of days that are added up. */
export const SPANS = [7, 30, 90] as const
export type Span = (typeof SPANS)[number]

const DAY = 86_400_000

/** The day so many days ago. */
function daysAgo(days: number, now = Date.now()): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: PLATFORM_ZONE }).format(now - days * DAY)
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

const dayOfMonth = dates({ day: 'numeric', month: 'short', timeZone: PLATFORM_ZONE }, { day: '2-digit', month: '2-digit', timeZone: PLATFORM_ZONE })

/** A day without its year. */
export function dayMark(date: string): string {
  return dayOfMonth().format(new Date(`${date}T06:30:00Z`))
}
