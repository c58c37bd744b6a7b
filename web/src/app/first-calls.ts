// The first calls of the most visited pages, sent while the files of the page load. `start.js` sends those that
// need no account even earlier: a change here needs the same change there. It also asks for the cart's quote; the
// cart's page takes that answer.

import type { Params } from 'react-router'

import { itemPagesQuery, itemQuery, itemsOfQuery, restaurantQuery, restaurantsQuery } from '@/api/catalogue'
import { deliveriesQuery } from '@/api/deliveries'
import { reviewsOfQuery } from '@/api/reviews'
import { cart } from '@/lib/cart'
import { session } from '@/lib/session'

import { queryClient } from './query-client'

/** Asks for what a page shows first, and tells when that is there; a call that fails is made again where its answer is shown. */
export type FirstCalls = (params: Params, search: URLSearchParams) => Promise<void>[]

interface Calls {
  home: FirstCalls
  items: FirstCalls
  product: FirstCalls
  restaurant: FirstCalls
  cart: FirstCalls
  track: FirstCalls
}

export const firstCalls: Calls = {
  home: () => [queryClient.prefetchQuery(restaurantsQuery()), queryClient.prefetchInfiniteQuery(itemPagesQuery({ sort: 'rating' }))],
  items: (_, search) => {
    const [q, category, sort] = ['q', 'category', 'sort'].map((name) => search.get(name)?.trim() ?? '')
    return [queryClient.prefetchInfiniteQuery(itemPagesQuery({ q, category, sort })), queryClient.prefetchQuery(restaurantsQuery())]
  },
  product: ({ key = '' }) => {
    const item = queryClient.fetchQuery(itemQuery(key)).then(
      async ({ restaurantId }) => { await queryClient.prefetchQuery(restaurantQuery(restaurantId)) },
      () => undefined,
    )
    return [item, queryClient.prefetchQuery(reviewsOfQuery(key))]
  },
  restaurant: ({ id = '' }) => [queryClient.prefetchQuery(restaurantQuery(id)), queryClient.prefetchQuery(itemsOfQuery(id))],
  cart: () => {
    const lines = cart.get().orderItem
    if (lines.length === 0) return []
    return [...lines.map(({ key }) => queryClient.prefetchQuery(itemQuery(key))), queryClient.prefetchQuery(restaurantsQuery())]
  },
  track: () => (session.token() === null ? [] : [queryClient.prefetchQuery(deliveriesQuery())]),
}
