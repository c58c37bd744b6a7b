import { queryOptions } from '@tanstack/react-query'

import { getItem, getRestaurant, listItems, listItemsOf, listRestaurants } from './generated/sdk.gen'
import type { ListItemsResponses, ListRestaurantsResponses } from './generated/types.gen'
import { lists } from './lists'
import { type ListQuery, pagesQuery } from './pages'

/** Cards of one page. */
const PAGE = 24

/** Items by pages: `q`, `category` and `sort` narrow and order them. */
export function itemPagesQuery(query: ListQuery) {
  return pagesQuery<ListItemsResponses>(lists.items.key, lists.items.url, query, PAGE)
}

/** Restaurants by pages: `q`, `category` and `sort` narrow and order them. */
export function restaurantPagesQuery(query: ListQuery) {
  return pagesQuery<ListRestaurantsResponses>(lists.restaurants.key, lists.restaurants.url, query, PAGE)
}

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
