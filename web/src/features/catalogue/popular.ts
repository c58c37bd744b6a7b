import type { Item, Restaurant } from '@/api/generated/types.gen'

/** At most `most` items that can be ordered now, one of each restaurant before a second of any. */
export function popularItems(items: Item[], restaurants: Restaurant[], most = 8) {
  const byId = new Map(restaurants.map((restaurant) => [restaurant._id, restaurant]))
  const rounds = new Map<string, number>()
  return items
    .filter((item) => item.available && byId.get(item.restaurantId)?.isOpen !== false)
    .map((item) => {
      const round = rounds.get(item.restaurantId) ?? 0
      rounds.set(item.restaurantId, round + 1)
      return { item, restaurant: byId.get(item.restaurantId), round }
    })
    .sort((a, b) => a.round - b.round)
    .slice(0, most)
}
