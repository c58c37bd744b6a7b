import { useInfiniteQuery } from '@tanstack/react-query'

import type { ListOrdersResponses, Order } from '@/api/generated/types.gen'
import { pagesQuery } from '@/api/pages'

/** Orders of one page: a day of a busy shop. */
const PAGE = 100

/** The orders of the owner's restaurants by pages, newest first. */
function ownerOrdersQuery() {
  return pagesQuery<ListOrdersResponses>(['orders'], '/api/v1/orders', {}, PAGE)
}

/** The orders fetched so far, and how to have older ones. */
export function useOwnerOrders() {
  const { data, ...query } = useInfiniteQuery(ownerOrdersQuery())
  const orders: Order[] | undefined = data?.pages.flatMap((page) => page.rows)
  return { ...query, orders }
}
