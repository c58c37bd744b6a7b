import { queryOptions, skipToken } from '@tanstack/react-query'

import { getDeliveryRoute } from './generated/sdk.gen'
import type { Delivery, DeliveryRoute } from './generated/types.gen'

/** The interval of asking again for streets in place of straight lines, in milliseconds. */
const RETRY_INTERVAL = 60_000

/** True if a leg is a straight line, because no street is known. */
export function isStraight({ toRestaurant, toDestination }: DeliveryRoute): boolean {
  return toRestaurant?.basis === 'straight' || toDestination?.basis === 'straight'
}

/**
 * The route of a delivery under way. It lasts until the status or the driver changes; meanwhile the one before is shown.
 * Idle without a delivery.
 */
export function deliveryRouteQuery(delivery: Delivery | null) {
  const id = delivery?._id ?? ''
  return queryOptions({
    queryKey: ['routes', id, { status: delivery?.status, driverId: delivery?.driverId }],
    queryFn:
      delivery === null || delivery.status === 'delivered'
        ? skipToken
        : ({ signal }) => getDeliveryRoute({ path: { id }, signal }),
    staleTime: Infinity,
    refetchInterval: ({ state: { status: answer, data } }) => (answer === 'error' || mayImprove(data) ? RETRY_INTERVAL : false),
    placeholderData: (before, query) => (query?.queryKey[1] === id ? before : undefined),
  })
}

/** The planned route of a delivery that may be over; idle without one. */
export function plannedRouteQuery(id: string | null) {
  return queryOptions({
    queryKey: ['routes', id, 'planned'],
    queryFn: id === null ? skipToken : ({ signal }) => getDeliveryRoute({ path: { id }, signal }),
    staleTime: Infinity,
    refetchInterval: ({ state: { data } }) => (mayImprove(data) ? RETRY_INTERVAL : false),
  })
}

function mayImprove(route: DeliveryRoute | undefined): boolean {
  return route !== undefined && isStraight(route)
}
