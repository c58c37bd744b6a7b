import { useQuery } from '@tanstack/react-query'

import { restaurantsQuery } from '@/api/catalogue'
import { deliveriesQuery } from '@/api/deliveries'
import { driversQuery } from '@/api/drivers'
import type { Delivery, Driver, Order, Restaurant } from '@/api/generated/types.gen'
import { distance, isKnown, type Place } from '@/ui/map/geo'

/** A driver who can be chosen for an order. */
export interface Candidate {
  driver: Driver
  /** From where they were last seen to the restaurant; null where that is not known. */
  metres: number | null
}

/**
 * Who is free, and who has the order already; the nearest first. A driver is known to be where a delivery
 * of this owner has taken them.
 */
export function candidates(order: Order, drivers: Driver[], deliveries: Delivery[], restaurants: Restaurant[]): Candidate[] {
  const shop = restaurants.find(({ _id }) => _id === order.restaurantId)
  const from: Place = { lat: shop?.lat ?? 0, lng: shop?.lng ?? 0 }
  return drivers
    .filter((driver) => driver.isAvailable || driver._id === order.assignedDriver)
    .map((driver) => {
      const at = lastSeen(driver, deliveries)
      return { driver, metres: isKnown(from) && at !== null ? distance(from, at) : null }
    })
    .sort((a, b) => (a.metres ?? Infinity) - (b.metres ?? Infinity) || nameOf(a.driver).localeCompare(nameOf(b.driver)))
}

export function nameOf({ firstName, lastName }: Driver): string {
  return `${firstName} ${lastName}`
}

/** Where a delivery under way says the driver is, else where the last one took them. */
function lastSeen(driver: Driver, deliveries: Delivery[]): Place | null {
  const own = deliveries
    .filter(({ driverId }) => driverId === driver._id)
    .sort((a, b) => b.timestamp.localeCompare(a.timestamp))
  const underWay = own.find((delivery) => delivery.status !== 'delivered' && isKnown(delivery))
  if (underWay !== undefined) return underWay
  const [last] = own
  const end = last?.status === 'delivered' ? { lat: last.destLat, lng: last.destLng } : null
  return isKnown(end) ? end : null
}

/** All that tells who could bring an order. */
export function useCandidates() {
  const drivers = useQuery(driversQuery())
  const deliveries = useQuery(deliveriesQuery())
  const restaurants = useQuery(restaurantsQuery())
  return {
    of: (order: Order) => candidates(order, drivers.data ?? [], deliveries.data ?? [], restaurants.data ?? []),
    failed: drivers.isError,
    retry: () => void drivers.refetch(),
  }
}
