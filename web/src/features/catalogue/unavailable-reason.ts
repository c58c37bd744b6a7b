import type { Item, Restaurant } from '@/api/generated/types.gen'
import { text } from '@/lib/texts'

import { statusText } from './status-text'

/** Why an item cannot be ordered now, in words for its button; null when it can. */
export function unavailableReason(item: Item, restaurant: Restaurant | undefined): string | null {
  if (!item.available) return text('catalogue.outOfStock')
  if (restaurant?.isOpen === false) return statusText(restaurant)
  return null
}
