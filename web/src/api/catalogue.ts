import { queryOptions } from '@tanstack/react-query'

import { getItem, getRestaurant, listItems, listItemsOf, listRestaurants } from './generated/sdk.gen'

export function restaurantsQuery() {
  return queryOptions({ queryKey: ['restaurants'], queryFn: ({ signal }) => listRestaurants({ signal }) })
}

export function restaurantQuery(id: string) {
  return queryOptions({
    queryKey: ['restaurants', id],
    queryFn: ({ signal }) => getRestaurant({ path: { id }, signal }),
  })
}

export function itemsQuery() {
  return queryOptions({ queryKey: ['items'], queryFn: ({ signal }) => listItems({ signal }) })
}

export function itemsOfQuery(restaurantId: string) {
  return queryOptions({
    queryKey: ['items', 'of', restaurantId],
    queryFn: ({ signal }) => listItemsOf({ path: { x: restaurantId }, signal }),
  })
}

export function itemQuery(key: string) {
  return queryOptions({
    queryKey: ['items', 'one', key],
    queryFn: ({ signal }) => getItem({ path: { key }, signal }),
  })
}
