import { lazy, Suspense } from 'react'

import type { Restaurant } from '@/api/generated/types.gen'
import { useSessionUser } from '@/lib/session'

// Guests, who have no place, fetch none of this.
const RestaurantTime = lazy(async () => ({ default: (await import('./RestaurantTime')).RestaurantTime }))

interface Props {
  restaurant: Restaurant
  /** The open restaurants that are shown along with it. */
  among: readonly string[]
}

/** The time in which an order placed now would reach the customer; nothing for others, or while it is closed. */
export function CustomerTime({ restaurant, among }: Props) {
  const isCustomer = useSessionUser()?.role === 'customer'
  if (!isCustomer || !restaurant.isOpen) return null
  return (
    <Suspense>
      <RestaurantTime restaurantId={restaurant._id} among={among} />
    </Suspense>
  )
}

/** The ids of the open ones. */
export function openIds(restaurants: readonly Restaurant[]): string[] {
  return restaurants.filter(({ isOpen }) => isOpen).map(({ _id }) => _id)
}
