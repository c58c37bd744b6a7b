import { useQueries, useQuery } from '@tanstack/react-query'

import { restaurantsQuery } from '@/api/catalogue'
import { driversNearQuery } from '@/api/drivers'
import type { Driver, Order, Restaurant } from '@/api/generated/types.gen'

import { isSettled } from './status'

/** The name of a driver; owners see first names alone. */
export function nameOf({ firstName, lastName }: Driver): string {
  return `${firstName} ${lastName}`.trim()
}

/** The steps of the shown distances, in metres: from this many up to the next. */
const STEPS = [5000, 2000, 1000, 0] as const

/** The step that a distance has reached. */
export function stepOf(distance: number): (typeof STEPS)[number] {
  return STEPS.find((step) => distance >= step) ?? 0
}

/** The nearest first, then those of whom it is not known where they are. */
export function nearestFirst(drivers: Driver[]): Driver[] {
  return drivers
    .filter(({ isAvailable }) => isAvailable)
    .sort((a, b) => (a.distance ?? Infinity) - (b.distance ?? Infinity) || nameOf(a).localeCompare(nameOf(b)))
}

/** The place at which an order is fetched, as the list of drivers asks for it; empty if it is unknown. */
function placeOf({ restaurantId }: Order, restaurants: Restaurant[]): string {
  const shop = restaurants.find(({ _id }) => _id === restaurantId)
  return shop?.lat == null || shop.lng == null ? '' : `${shop.lat},${shop.lng}`
}

/** The drivers for each of the orders that has none yet. */
export function useCandidates(orders: Order[]) {
  const { data: restaurants = [], isPending } = useQuery(restaurantsQuery())
  const own = restaurants.filter(({ _id }) => orders.some(({ restaurantId }) => restaurantId === _id))
  const waiting = isPending ? [] : orders.filter((order) => !isSettled(order))
  const places = [...new Set(waiting.map((order) => placeOf(order, restaurants)))]
  const lists = useQueries({ queries: places.map((place) => driversNearQuery(place)) })
  return {
    of: (order: Order): Driver[] =>
      isSettled(order) ? [] : nearestFirst(lists[places.indexOf(placeOf(order, restaurants))]?.data ?? []),
    /** No restaurant of theirs is verified: no driver is shown to them. */
    unverified: own.length > 0 && lists.every(({ data }) => data?.length === 0) && own.every(({ verified }) => !verified),
    failed: lists.some(({ isError }) => isError),
    retry: () => {
      for (const list of lists) void list.refetch()
    },
  }
}
