import type { Delivery, Restaurant } from '@/api/generated/types.gen'
import type { Coordinates } from '@/lib/geolocation'

/** A place on the way, and what is fetched or handed over there. */
export interface Stop {
  kind: 'restaurant' | 'destination'
  /** Names the stop while it lasts. */
  id: string
  place: Coordinates
  /** The restaurant's name; empty at a customer's. */
  name: string
  address: string | null
  phone: string | null
  deliveries: Delivery[]
}

/** The driver's next stops: the restaurants whose food still waits, then the customers. */
export function stopsOf(deliveries: Delivery[], restaurants: Restaurant[]): Stop[] {
  const underWay = deliveries
    .filter(({ status }) => status !== 'delivered')
    .sort((a, b) => a.timestamp.localeCompare(b.timestamp))
  const waiting = underWay.filter(({ status }) => status === 'picked up')
  const pickups = groupBy(waiting, ({ restaurantLat, restaurantLng }) => `${restaurantLat},${restaurantLng}`)
  // Food on the vehicle is delivered before more is fetched.
  const dropOffs = groupBy(
    [...underWay].sort((a, b) => Number(a.status === 'picked up') - Number(b.status === 'picked up')),
    ({ destLat, destLng, customerEmail }) => `${destLat},${destLng},${customerEmail}`,
  )
  return [
    ...pickups.map(([id, first, rest]) => pickupStop(id, first, rest, restaurants)),
    ...dropOffs.map(([id, first, rest]) => dropOffStop(id, first, rest)),
  ]
}

function pickupStop(id: string, first: Delivery, deliveries: Delivery[], restaurants: Restaurant[]): Stop {
  const { restaurantLat: lat, restaurantLng: lng } = first
  const restaurant = restaurants.find((one) => one.lat === lat && one.lng === lng)
  return {
    kind: 'restaurant',
    id: `fetch ${id}`,
    place: { lat, lng },
    name: restaurant?.name ?? '',
    address: restaurant?.address ?? null,
    phone: restaurant?.phone ?? null,
    deliveries,
  }
}

function dropOffStop(id: string, first: Delivery, deliveries: Delivery[]): Stop {
  return {
    kind: 'destination',
    id: `bring ${id}`,
    place: { lat: first.destLat, lng: first.destLng },
    name: '',
    address: first.address ?? null,
    phone: first.phone ?? null,
    deliveries,
  }
}

/** Deliveries with the same key together, each group with its key and its first one. */
function groupBy(deliveries: Delivery[], keyOf: (delivery: Delivery) => string): [string, Delivery, Delivery[]][] {
  const groups = new Map<string, [string, Delivery, Delivery[]]>()
  for (const delivery of deliveries) {
    const key = keyOf(delivery)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [key, delivery, [delivery]])
    else group[2].push(delivery)
  }
  return [...groups.values()]
}
