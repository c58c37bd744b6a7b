import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'

import { itemQuery, restaurantsQuery } from '@/api/catalogue'
import type { CartLine, Item } from '@/api/generated/types.gen'
import { quoteQuery } from '@/api/orders'
import { isProblem } from '@/api/problem'
import { cart, type Cart } from '@/lib/cart'
import { text } from '@/lib/texts'
import { toast } from '@/ui/toast'

import { groupByRestaurant } from './cart-groups'

/** True if the service has no such item; an item that could not be loaded may still exist. */
function isGone(error: unknown): boolean {
  return isProblem(error) && (error.status === 404 || error.status === 422)
}

/** The price of lines now. Notes have none, so that it is not asked for again at each letter. */
export function priceQuery(lines: CartLine[]) {
  return quoteQuery(lines.map(({ key, qty }) => ({ key, qty })))
}

/** The content of the cart, as the services know it now. Items that no longer exist leave the cart. */
export function useCartContents(held: Cart) {
  const items = useQueries({ queries: held.orderItem.map(({ key }) => itemQuery(key)) })
  const restaurants = useQuery(restaurantsQuery())
  const removedKeys = held.orderItem
    .filter((_, at) => isGone(items[at]?.error))
    .map((line) => line.key)
    .join(' ')

  // The cart lives outside React, in local storage.
  useEffect(() => {
    if (removedKeys === '') return
    for (const key of removedKeys.split(' ')) cart.remove(key)
    toast.error(text('checkout.failedToLoadItem'))
  }, [removedKeys])

  const loaded = new Map<string, Item>()
  for (const { data } of items) if (data !== undefined) loaded.set(data._id, data)
  const complete = held.orderItem.length > 0 && held.orderItem.every(({ key }) => loaded.has(key))
  const quote = useQuery({ ...priceQuery(held.orderItem), enabled: complete })

  return {
    groups: groupByRestaurant(held, loaded, restaurants.data ?? [], quote.isPlaceholderData ? undefined : quote.data),
    quote,
    isPending: items.some((item) => item.isPending),
    failed: items.find((item) => item.isError && removedKeys === ''),
  }
}
