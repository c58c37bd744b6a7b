import { queryOptions } from '@tanstack/react-query'

import { countOrders } from './generated/sdk.gen'
import type { ListRestaurantsResponses, OrderCounts } from './generated/types.gen'
import { lists } from './lists'
import { everyRow } from './pages'

/** The orders that were placed and have not ended. */
function underWay({ pending, confirmed, preparing, dispatched }: OrderCounts): number {
  return pending + confirmed + preparing + dispatched
}

/** The number of orders under way of a person, as a customer, an owner or a driver. */
export function ordersUnderWayOfUserQuery(userId: string) {
  return queryOptions({
    queryKey: [...lists.orders.key, 'counts', 'user', userId],
    queryFn: ({ signal }) => countOrders({ query: { userId }, signal }),
    select: underWay,
    staleTime: 0,
  })
}

/** The number of orders under way from a restaurant. */
export function ordersUnderWayOfRestaurantQuery(restaurantId: string) {
  return queryOptions({
    queryKey: [...lists.orders.key, 'counts', 'restaurant', restaurantId],
    queryFn: async ({ signal }) => underWay(await countOrders({ query: { restaurantId }, signal })),
    staleTime: 0,
  })
}

/** An owner's restaurants that take orders. */
export function openRestaurantsQuery(ownerId: string) {
  const { key, url } = lists.restaurants
  return queryOptions({
    queryKey: [...key, 'of', ownerId],
    queryFn: ({ signal }) => everyRow<ListRestaurantsResponses>(url, { ownerId }, signal),
    select: (restaurants) => restaurants.filter(({ isOpen }) => isOpen),
    staleTime: 0,
  })
}
