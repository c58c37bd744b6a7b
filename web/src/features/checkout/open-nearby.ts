import type { Order, Restaurant } from '@/api/generated/types.gen'
import { distance, isKnown } from '@/ui/map/geo'

/** The number of restaurants that are named. */
const MOST = 3

type Destination = Pick<Order, 'restaurantId' | 'lat' | 'lng'>

/** Other restaurants that are open, the nearest first; those whose place is not known come last. */
export function openNearby(restaurants: Restaurant[], order: Destination): Restaurant[] {
  const away = ({ lat, lng }: Restaurant) => {
    const place = lat == null || lng == null ? null : { lat, lng }
    return isKnown(place) && isKnown(order) ? distance(place, order) : Number.MAX_VALUE
  }
  return restaurants
    .filter(({ _id, isOpen }) => isOpen && _id !== order.restaurantId)
    .sort((one, other) => away(one) - away(other))
    .slice(0, MOST)
}
