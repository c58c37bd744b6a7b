import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { getFigures } from '@/api/generated/sdk.gen'
import { PLATFORM_ZONE } from '@/lib/format'

/** The number of days that are added up. */
export const SPANS = [7, 30, 90] as const
export type Span = (typeof SPANS)[number]

const DAY = 86_400_000

/** The first of so many days up to today. */
function firstDay(span: Span, now = Date.now()): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: PLATFORM_ZONE }).format(now - (span - 1) * DAY)
}

/** The figures of the owner's restaurants, or of one of them; stale with the orders. */
export function figuresQuery(span: Span, restaurantId: string) {
  const query = { from: firstDay(span), ...(restaurantId === '' ? {} : { restaurantId }) }
  return queryOptions({
    queryKey: ['orders', 'figures', query],
    queryFn: ({ signal }) => getFigures({ query, signal }),
    placeholderData: keepPreviousData,
  })
}
