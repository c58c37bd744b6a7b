import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { listOrders, quote } from './generated/sdk.gen'
import type { CartLine } from './generated/types.gen'

/** The caller's orders: a customer's own, those of an owner's restaurants, all for an administrator. */
export function ordersQuery() {
  return queryOptions({ queryKey: ['orders'], queryFn: ({ signal }) => listOrders({ signal }) })
}

/** The price of the cart now, from the service. */
export function quoteQuery(orderItem: CartLine[]) {
  return queryOptions({
    queryKey: ['quote', orderItem],
    queryFn: ({ signal }) => quote({ body: { orderItem }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}
