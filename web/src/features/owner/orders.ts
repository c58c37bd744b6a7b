import { type QueryClient, queryOptions, useInfiniteQuery } from '@tanstack/react-query'

import type { ListOrdersResponses, Order } from '@/api/generated/types.gen'
import { keepRows } from '@/api/keep-rows'
import { lists } from '@/api/lists'
import { changeRows, everyRow, fetchNext, pageOf, pagesQuery } from '@/api/pages'

/** Orders of one page: a day of a busy shop. */
const PAGE = 100
/** The number of delivered orders on the board; the table has all of them. */
export const DELIVERED = 15
/** The number of cancelled orders among which those of the board are found. */
const CANCELLED = 50

const { key, url } = lists.orders

/** The orders of the owner's restaurants by pages, newest first: those that have the words `q`. */
function ownerOrdersQuery(q: string) {
  return pagesQuery<ListOrdersResponses>(key, url, q === '' ? {} : { q }, PAGE)
}

/** The orders fetched so far, and how to have older ones. */
export function useOwnerOrders(q: string) {
  const found = useInfiniteQuery(ownerOrdersQuery(q))
  const { error, refetch, hasNextPage, isFetchingNextPage } = found
  const orders: Order[] | undefined = found.data?.pages.flatMap((page) => page.rows)
  return { orders, error, refetch, hasNextPage, isFetchingNextPage, fetchOlder: () => fetchNext(found) }
}

/** Every order that is neither delivered nor cancelled, the oldest first. */
export function openOrdersQuery() {
  return queryOptions({
    queryKey: [...key, 'open'],
    queryFn: async ({ signal }): Promise<Order[]> => await everyRow<ListOrdersResponses>(url, { isOpen: 'true', sort: 'oldest' }, signal),
    structuralSharing: keepRows,
  })
}

/** The number of orders that wait to be confirmed. */
export function pendingCount(orders: Order[]): number {
  return orders.filter(({ status }) => status === 'pending').length
}

/** The orders that were placed last of those delivered. */
export function deliveredOrdersQuery() {
  return queryOptions({
    queryKey: [...key, 'delivered'],
    queryFn: async ({ signal }): Promise<Order[]> =>
      (await pageOf<ListOrdersResponses>(url, { status: 'delivered' }, DELIVERED, null, signal)).rows,
    structuralSharing: keepRows,
  })
}

/** The orders that were placed last of those cancelled. */
export function cancelledOrdersQuery() {
  return queryOptions({
    queryKey: [...key, 'cancelled'],
    queryFn: async ({ signal }): Promise<Order[]> =>
      (await pageOf<ListOrdersResponses>(url, { status: 'cancelled' }, CANCELLED, null, signal)).rows,
  })
}

/** Changes an order in every list that has it, until they are fetched again; the answer puts everything back. */
export function changeOrders(queries: QueryClient, change: (order: Order) => Order): () => void {
  const restorePages = changeRows(queries, key, change)
  const kept = [openOrdersQuery(), deliveredOrdersQuery()].map(({ queryKey }) => [queryKey, queries.getQueryData(queryKey)] as const)
  for (const [queryKey, orders] of kept) queries.setQueryData(queryKey, orders?.map(change))
  return () => {
    restorePages()
    for (const [queryKey, orders] of kept) queries.setQueryData(queryKey, orders)
  }
}
