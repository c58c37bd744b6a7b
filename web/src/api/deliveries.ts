import { queryOptions } from '@tanstack/react-query'

import { getDeliveryLocation, listDeliveries } from './generated/sdk.gen'

/** The caller's deliveries: a customer's or a driver's own, those of an owner's restaurants. */
export function deliveriesQuery() {
  return queryOptions({ queryKey: ['deliveries'], queryFn: ({ signal }) => listDeliveries({ signal }) })
}

/** The last position of a delivery's driver; 0,0 if unknown. */
export function deliveryLocationQuery(id: string) {
  return queryOptions({
    queryKey: ['deliveries', id, 'location'],
    queryFn: ({ signal }) => getDeliveryLocation({ path: { id }, signal }),
    staleTime: 0,
  })
}
