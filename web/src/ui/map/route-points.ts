import type { Coordinates } from '@/lib/geolocation'

interface Leg {
  points: Coordinates[]
  basis: 'street' | 'straight'
}

/** The legs of a delivery, as far as they are known. */
export interface Legs {
  toRestaurant?: Leg | null
  toDestination?: Leg | null
}

/** The streets that the driver follows now: to the restaurant while the food is there, else to the door. */
export function pointsNow(legs: Legs | undefined): Coordinates[] | undefined {
  const leg = legs?.toRestaurant ?? legs?.toDestination
  // A driver is never on a straight line.
  return leg?.basis === 'street' ? leg.points : undefined
}
