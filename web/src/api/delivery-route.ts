import { queryOptions } from '@tanstack/react-query'

import { getDeliveryRoute } from './generated/sdk.gen'
import type { Delivery, DeliveryRoute } from './generated/types.gen'

/** The interval of asking again for streets in place of straight lines, in milliseconds. */
const RETRY_INTERVAL = 60_000

/** True if a leg is a straight line, because no street is known. */
export function isStraight({ toRestaurant, toDestination }: DeliveryRoute): boolean {
  return toRestaurant?.basis === 'straight' || toDestination?.basis === 'straight'
}

/** The way of a delivery. It lasts until the status or the driver changes; meanwhile the one before is shown. */
export function deliveryRouteQuery({ _id: id, status, driverId }: Pick<Delivery, '_id' | 'status' | 'driverId'>) {
  return queryOptions({
    queryKey: ['routes', id, { status, driverId }],
    queryFn: ({ signal }) => getDeliveryRoute({ path: { id }, signal }),
    enabled: status !== 'delivered',
    staleTime: Infinity,
    refetchInterval: ({ state: { status: answer, data } }) =>
      answer === 'error' || (data !== undefined && isStraight(data)) ? RETRY_INTERVAL : false,
    placeholderData: (before, query) => (query?.queryKey[1] === id ? before : undefined),
  })
}
