import type { Item, Quote, Restaurant } from '@/api/generated/types.gen'
import type { Cart } from '@/lib/cart'
import { text } from '@/lib/texts'

export interface CartRow {
  item: Item
  qty: number
  /** Words to the kitchen; empty without any. */
  note: string
  /** Rupees, by the last quote; by the item's own price until there is one. */
  total: number
}

/** The cart's lines of one restaurant, which one driver delivers together. */
export interface CartGroup {
  restaurantId: string
  name: string
  isOpen: boolean
  /** The end of the restaurant's pause. */
  pausedUntil: string | null
  rows: CartRow[]
  total: number
}

export function groupByRestaurant(
  cart: Cart,
  items: Map<string, Item>,
  restaurants: Restaurant[],
  quote: Quote | undefined,
): CartGroup[] {
  const groups = new Map<string, CartGroup>()
  for (const { key, qty, note } of cart.orderItem) {
    const item = items.get(key)
    if (item === undefined) continue
    const quoted = quote?.orderItem.find((line) => line.key === key && line.qty === qty)
    const restaurant = restaurants.find((one) => one._id === item.restaurantId)
    const group = groups.get(item.restaurantId) ?? {
      restaurantId: item.restaurantId,
      name: restaurant?.name ?? quoted?.restaurantName ?? text('checkout.restaurant'),
      isOpen: restaurant?.isOpen ?? true,
      pausedUntil: restaurant?.pausedUntil ?? null,
      rows: [],
      total: 0,
    }
    const total = quoted?.total ?? item.price * qty
    group.rows.push({ item, qty, note: note ?? '', total })
    group.total += total
    groups.set(item.restaurantId, group)
  }
  return [...groups.values()]
}
