import { queryOptions, skipToken } from '@tanstack/react-query'

import type { Coordinates } from '@/lib/geolocation'

import { listEstimates } from './generated/sdk.gen'
import type { DeliveryEstimate } from './generated/types.gen'

/** Restaurants of one request. */
const MOST = 100
/** The time for which an estimate holds, in milliseconds. */
const FRESH = 120_000
/** Places are asked for to some ten metres, so that a device at rest does not ask again. */
const DIGITS = 4

/** The times in which orders placed now would arrive at a place, by restaurant; idle without a place. */
export function estimatesQuery(place: Coordinates | null, restaurantIds: readonly string[]) {
  const at = place === null ? null : `${place.lat.toFixed(DIGITS)},${place.lng.toFixed(DIGITS)}`
  const ids = [...new Set(restaurantIds)].sort()
  return queryOptions({
    queryKey: ['estimates', at, ids],
    queryFn: place === null || ids.length === 0 ? skipToken : ({ signal }) => estimates(place, ids, signal),
    select: byRestaurant,
    staleTime: FRESH,
    // More cards must not take the estimates from the first.
    placeholderData: (before, query) => (query?.queryKey[1] === at ? before : undefined),
  })
}

async function estimates({ lat, lng }: Coordinates, ids: string[], signal: AbortSignal): Promise<DeliveryEstimate[]> {
  const calls = []
  for (let first = 0; first < ids.length; first += MOST) {
    const query = { lat: rounded(lat), lng: rounded(lng), restaurants: ids.slice(first, first + MOST).join(',') }
    calls.push(listEstimates({ query, signal }))
  }
  return (await Promise.all(calls)).flat()
}

const rounded = (degrees: number) => Number(degrees.toFixed(DIGITS))

function byRestaurant(estimates: DeliveryEstimate[]): Map<string, DeliveryEstimate> {
  return new Map(estimates.map((estimate) => [estimate.restaurantId, estimate]))
}
