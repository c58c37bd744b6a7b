import type { Coordinates } from '../../../src/lib/geolocation'
import { distance } from '../../../src/ui/map/geo'

/** Metres between two points of a street; a vehicle that rests makes none. */
const STEP = 5
/** The reach of smoothing, in points to each side. */
const REACH = 4

/** The street under a track: its places alone, without times, every few metres, smoothed. */
export function streetOf(places: Coordinates[]): Coordinates[] {
  const points: Coordinates[] = []
  for (const { lat, lng } of places) {
    const before = points.at(-1)
    if (before === undefined || distance(before, { lat, lng }) >= STEP) points.push({ lat, lng })
  }
  return points.map((_, at) => {
    const reach = Math.min(REACH, at, points.length - 1 - at)
    const near = points.slice(at - reach, at + reach + 1)
    const weights = near.map((_, index) => Math.exp(-0.5 * ((2 * (index - reach)) / REACH) ** 2))
    const sum = weights.reduce((all, one) => all + one, 0)
    const mean = (of: (point: Coordinates) => number) => near.reduce((all, point, index) => all + of(point) * (weights[index] ?? 0), 0) / sum
    return { lat: mean(({ lat }) => lat), lng: mean(({ lng }) => lng) }
  })
}
