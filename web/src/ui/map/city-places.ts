import type { Coordinates } from '@/lib/geolocation'

import { type City, loadCity, type Point, type Shape } from './city-data'

/** A place of the base map by its name. */
interface NamedPlace extends Coordinates {
  name: string
}

/** The largest number of places that a search finds. */
const MAX_PLACES = 6

// The kinds of places that people search, the likeliest first.
const kinds: Shape['kind'][] = ['place', 'landmark', 'park', 'road', 'water']

/** A point of the web mercator square, as degrees. */
function degrees([x, y]: Point): Coordinates {
  return { lat: (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI, lng: x * 360 - 180 }
}

function middleOf({ box, lines }: Shape): Coordinates {
  const [line = []] = lines
  // A road's middle lies on it, which the middle of its box need not.
  const onIt = line.length < 20 ? line[Math.floor(line.length / 2)] : undefined
  return degrees(onIt ?? [(box.left + box.right) / 2, (box.top + box.bottom) / 2])
}

/** Places of a city that hold every word typed in their name, each name once. */
function findIn(city: City, typed: string): NamedPlace[] {
  const words = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const found = new Map<string, Shape>()
  for (const shape of city.shapes) {
    const name = shape.name?.toLocaleLowerCase()
    if (shape.name === undefined || name === undefined || !kinds.includes(shape.kind)) continue
    const known = found.get(shape.name)
    const isLikelier = known === undefined || kinds.indexOf(shape.kind) < kinds.indexOf(known.kind)
    if (isLikelier && words.every((word) => name.includes(word))) found.set(shape.name, shape)
  }
  return [...found]
    .toSorted(([, a], [, b]) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
    .slice(0, MAX_PLACES)
    .map(([name, shape]) => ({ name, ...middleOf(shape) }))
}

/** Finds places of the base map by name; it needs no internet. */
export async function findPlaces(typed: string): Promise<NamedPlace[]> {
  return findIn(await loadCity(), typed)
}
