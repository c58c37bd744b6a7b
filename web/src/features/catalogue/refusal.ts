import type { Item, Restaurant } from '@/api/generated/types.gen'

/** Why an item cannot be ordered now, in words for its button; null when it can. */
export function refusalOf(item: Item, restaurant: Restaurant | undefined): string | null {
  if (!item.available) return 'Out of Stock'
  if (restaurant?.isOpen === false) return 'Closed'
  return null
}
