import { useQueries, useQuery } from '@tanstack/react-query'

import { restaurantsQuery } from '@/api/catalogue'
import { driversNearQuery } from '@/api/drivers'
import type { Driver, Order, Restaurant } from '@/api/generated/types.gen'

import { isDriverFixed } from './status'

/** The same list each time, so that a ticket with a driver is not drawn again. */
const NO_DRIVERS: Driver[] = []

/** The name of a driver; owners see first names alone. */
export function driverName({ firstName, lastName }: Driver): string {
  return `${firstName} ${lastName}`.trim()
}

/** The steps of the shown distances, in metres: from this many up to the next. */
const DISTANCE_STEPS = [5000, 2000, 1000, 0] as const

/** The step of a distance. */
export function distanceStep(distance: number): (typeof DISTANCE_STEPS)[number] {
  return DISTANCE_STEPS.find((step) => distance >= step) ?? 0
}

/** The available drivers, the nearest first and those without a position last. */
export function nearestFirst(drivers: Driver[]): Driver[] {
  return drivers
    .filter(({ isAvailable }) => isAvailable)
    .sort((a, b) => (a.distance ?? Infinity) - (b.distance ?? Infinity) || driverName(a).localeCompare(driverName(b)))
}

/** The pickup place of an order as a query parameter (`lat,lng`); empty if it is unknown. */
function pickupPlace({ restaurantId }: Order, restaurants: Restaurant[]): string {
  const restaurant = restaurants.find(({ _id }) => _id === restaurantId)
  return restaurant?.lat == null || restaurant.lng == null ? '' : `${restaurant.lat},${restaurant.lng}`
}

/** The free drivers near one order's restaurant, whether it has a driver or not. */
export function useDriversFor(order: Order): Driver[] {
  const { data: restaurants, isPending } = useQuery(restaurantsQuery())
  const { data = [] } = useQuery({ ...driversNearQuery(pickupPlace(order, restaurants ?? [])), select: nearestFirst, enabled: !isPending })
  return data.filter(({ _id }) => _id !== order.assignedDriver)
}

/** The free drivers near each order without a driver. */
export function useNearbyDrivers(orders: Order[]) {
  const { data: restaurants = [], isPending } = useQuery(restaurantsQuery())
  const ordered = new Set(orders.map(({ restaurantId }) => restaurantId))
  const ownRestaurants = restaurants.filter(({ _id }) => ordered.has(_id))
  const waiting = isPending ? [] : orders.filter((order) => !isDriverFixed(order))
  const places = [...new Set(waiting.map((order) => pickupPlace(order, restaurants)))]
  const lists = useQueries({ queries: places.map((place) => ({ ...driversNearQuery(place), select: nearestFirst })) })
  return {
    /** Undefined until they are fetched. */
    forOrder: (order: Order): Driver[] | undefined => {
      if (isDriverFixed(order)) return NO_DRIVERS
      return lists[places.indexOf(pickupPlace(order, restaurants))]?.data
    },
    /** No restaurant of theirs is verified: no driver is shown to them. */
    unverified: ownRestaurants.length > 0 && lists.every(({ data }) => data?.length === 0) && ownRestaurants.every(({ verified }) => !verified),
    failed: lists.some(({ isError }) => isError),
    retry: () => {
      for (const list of lists) void list.refetch()
    },
  }
}
