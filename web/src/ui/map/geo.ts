import type { Coordinates } from '@/lib/geolocation'

/** The middle of the base map's city: the centre of a map that has nothing to show. */
export const CITY_CENTRE: Coordinates = { lat: 6.9147, lng: 79.862 }

const EARTH = 6_371_000

const radians = (degrees: number) => (degrees * Math.PI) / 180
const degrees = (angle: number) => (angle * 180) / Math.PI

/** The wire says 0,0 where a position is unknown; that is never drawn. */
export function isKnown(place: Coordinates | null | undefined): place is Coordinates {
  return place != null && Number.isFinite(place.lat) && Number.isFinite(place.lng) && (place.lat !== 0 || place.lng !== 0)
}

/** Metres along the great circle. */
export function distance(a: Coordinates, b: Coordinates): number {
  const dLat = radians(b.lat - a.lat)
  const dLng = radians(b.lng - a.lng)
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(dLng / 2) ** 2
  return 2 * EARTH * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** Degrees clockwise from true north, 0 up to 360. */
export function bearing(from: Coordinates, to: Coordinates): number {
  const dLng = radians(to.lng - from.lng)
  const y = Math.sin(dLng) * Math.cos(radians(to.lat))
  const x =
    Math.cos(radians(from.lat)) * Math.sin(radians(to.lat)) -
    Math.sin(radians(from.lat)) * Math.cos(radians(to.lat)) * Math.cos(dLng)
  return (degrees(Math.atan2(y, x)) + 360) % 360
}

/** Below this many metres a movement does not show the heading. */
const STEP = 3

/** The device's heading, else the direction of the last movement, else the previous heading. */
export function headingOf(measured: number | null | undefined, from: Coordinates, to: Coordinates, before: number | null): number | null {
  if (typeof measured === 'number' && Number.isFinite(measured)) return ((measured % 360) + 360) % 360
  return distance(from, to) > STEP ? bearing(from, to) : before
}

/** The place on the straight way; `part` is 0 to 1. */
export function placeBetween(from: Coordinates, to: Coordinates, part: number): Coordinates {
  return { lat: from.lat + (to.lat - from.lat) * part, lng: from.lng + (to.lng - from.lng) * part }
}

/** The heading on the way: it turns the short way round, in the first third. */
export function headingBetween(from: number | null, to: number | null, part: number): number | null {
  if (from === null || to === null) return to
  const turn = ((to - from + 540) % 360) - 180
  return (from + turn * Math.min(1, part * 3) + 360) % 360
}
