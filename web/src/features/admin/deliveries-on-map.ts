import type { Delivery } from '@/api/generated/types.gen'
import { shortCode, type TicketDeliveries } from '@/api/tickets'
import type { Coordinates } from '@/lib/geolocation'
import { isKnown } from '@/ui/map/geo'

/** The look of a delivery on the map, by its status. */
export const kinds: Record<Delivery['status'], number> = { 'picked up': 0, 'on the way': 1, delivered: 1 }

/** The distance of markers from the place that they share, in CSS pixels. */
const SPREAD = 13

/** The shifts of deliveries that one driver carries: around the driver, so that each is seen and hit. */
export function shiftsOf(deliveries: Pick<Delivery, '_id' | 'driverId'>[]): Map<string, { x: number; y: number }> {
  const carried = new Map<string, string[]>()
  for (const { _id, driverId } of deliveries) carried.set(driverId, [...(carried.get(driverId) ?? []), _id])
  const shifts = [...carried.values()].flatMap((ids) => {
    // Many need a wider ring.
    const radius = ids.length === 1 ? 0 : Math.max(SPREAD, ids.length * 3)
    return ids.map((id, at) => {
      const angle = (2 * Math.PI * at) / ids.length
      return [id, { x: Math.sin(angle) * radius, y: -Math.cos(angle) * radius }] as const
    })
  })
  return new Map(shifts)
}

/** The names of a ticket's marker: its driver's, and the order with it. */
export function namesOf(ticket: TicketDeliveries): { short: string; full: string } {
  const name = ticket[0].driverName ?? ''
  const code = shortCode(ticket)
  return name === '' ? { short: code, full: code } : { short: name, full: `${code} · ${name}` }
}

/** The place of a delivery on the map: its driver's, until that is known its restaurant's; null without either. */
export function placeOf({ lat, lng, restaurantLat, restaurantLng }: Delivery): Coordinates | null {
  const places = [{ lat, lng }, { lat: restaurantLat, lng: restaurantLng }]
  return places.find((place) => isKnown(place)) ?? null
}

/** The ids of the drivers with a delivery. */
export function driversDelivering(deliveries: Pick<Delivery, 'driverId'>[]): Set<string> {
  return new Set(deliveries.map(({ driverId }) => driverId))
}
