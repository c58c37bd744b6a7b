import { queryOptions } from '@tanstack/react-query'

import { listDeliveries } from './generated/sdk.gen'

/** The caller's deliveries: a customer's or a driver's own, those of an owner's restaurants. */
export function deliveriesQuery() {
  return queryOptions({ queryKey: ['deliveries'], queryFn: ({ signal }) => listDeliveries({ signal }) })
}
