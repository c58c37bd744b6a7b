// What the pages that are visited most show first, asked for while their own files are on their way. What
// everybody may read of it `start.js` asks for before that: whoever changes a call here changes it there.

import type { Params } from 'react-router'

import { itemPagesQuery, itemQuery, itemsOfQuery, restaurantQuery, restaurantsQuery } from '@/api/catalogue'
import { deliveriesQuery } from '@/api/deliveries'
import { reviewsOfQuery } from '@/api/reviews'
import { cart } from '@/lib/cart'
import { session } from '@/lib/session'

import { queryClient } from './query-client'

/** Asks for what a page shows first; a call that fails is made again where its answer is shown. */
export type FirstCalls = (params: Params, search: URLSearchParams) => void

interface Calls {
  home: FirstCalls
  items: FirstCalls
  product: FirstCalls
  restaurant: FirstCalls
  cart: FirstCalls
  track: FirstCalls
}

export const firstCalls: Calls = {
  home: () => {
    void queryClient.prefetchQuery(restaurantsQuery())
    void queryClient.prefetchInfiniteQuery(itemPagesQuery({ sort: 'rating' }))
  },
  items: (_, search) => {
    const [q, category, sort] = ['q', 'category', 'sort'].map((name) => search.get(name)?.trim() ?? '')
    void queryClient.prefetchInfiniteQuery(itemPagesQuery({ q, category, sort }))
    void queryClient.prefetchQuery(restaurantsQuery())
  },
  product: ({ key = '' }) => {
    void queryClient.prefetchQuery(itemQuery(key))
    void queryClient.prefetchQuery(reviewsOfQuery(key))
  },
  restaurant: ({ id = '' }) => {
    void queryClient.prefetchQuery(restaurantQuery(id))
    void queryClient.prefetchQuery(itemsOfQuery(id))
  },
  cart: () => {
    const lines = cart.get().orderItem
    for (const { key } of lines) void queryClient.prefetchQuery(itemQuery(key))
    if (lines.length > 0) void queryClient.prefetchQuery(restaurantsQuery())
  },
  track: () => {
    if (session.token() !== null) void queryClient.prefetchQuery(deliveriesQuery())
  },
}
