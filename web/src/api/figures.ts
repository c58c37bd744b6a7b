import { queryOptions } from '@tanstack/react-query'

import type { ListDeliveriesResponses } from './generated/types.gen'
import { countOrders } from './generated/sdk.gen'
import { type ListAt, lists } from './lists'
import { everyRow, type ListQuery, newestRows } from './pages'

/** The number of orders by status: the caller's, all for an administrator. */
export function orderCountsQuery() {
  return queryOptions({
    queryKey: [...lists.orders.key, 'counts'],
    queryFn: ({ signal }) => countOrders({ signal }),
  })
}

/** Every delivery that is not delivered yet. */
export function deliveriesUnderWayQuery() {
  const { key, url } = lists.deliveries
  return queryOptions({
    queryKey: [...key, 'under way'],
    queryFn: ({ signal }) => everyRow<ListDeliveriesResponses>(url, { underWay: 'true' }, signal),
  })
}

/** The number of a list's newest rows that wait for an answer; more may wait behind them. */
export function queueQuery<Answers extends { 200: unknown[] }>(
  { key, url }: ListAt,
  query: ListQuery,
  waits: (row: Answers[200][number]) => boolean = () => true,
) {
  return queryOptions({
    queryKey: [...key, 'queue', query],
    queryFn: ({ signal }) => newestRows<Answers>(url, query, signal),
    select: ({ rows, next }) => ({ count: rows.filter(waits).length, isMore: next !== null }),
  })
}
