import type { Coordinates } from '@/lib/geolocation'

/** The metres of one degree of latitude. */
export const METRES_OF_DEGREE = 111_195

/** A way on the plane that touches the earth. */
export interface Metres {
  east: number
  north: number
}

/** The length of a degree of longitude, as a share of one of latitude. */
export function narrowing(lat: number): number {
  return Math.max(0.01, Math.cos((lat * Math.PI) / 180))
}

/** The way from one place to another; exact within some ten kilometres. */
export function metresBetween(from: Coordinates, to: Coordinates, narrow = narrowing(from.lat)): Metres {
  return { east: (to.lng - from.lng) * METRES_OF_DEGREE * narrow, north: (to.lat - from.lat) * METRES_OF_DEGREE }
}

/** The place at the end of a way. */
export function moved(from: Coordinates, east: number, north: number): Coordinates {
  return { lat: from.lat + north / METRES_OF_DEGREE, lng: from.lng + east / (METRES_OF_DEGREE * narrowing(from.lat)) }
}

/** Degrees clockwise from north, 0 up to 360. */
export function bearingOf({ east, north }: Metres): number {
  return ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360
}
