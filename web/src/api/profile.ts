import { queryOptions, skipToken } from '@tanstack/react-query'

import type { Coordinates } from '@/lib/geolocation'

import { getUser } from './generated/sdk.gen'
import type { User } from './generated/types.gen'

/** The signed-in user with phone, address and place: the browser keeps none of these. */
export function profileQuery(userId: string | undefined) {
  return queryOptions({
    queryKey: ['profile', userId],
    queryFn: userId === undefined ? skipToken : ({ signal }) => getUser({ path: { id: userId }, signal }),
  })
}

/** The place that a profile delivers to; null where it is unknown. */
export function placeOf(user: User | undefined): Coordinates | null {
  return user?.lat != null && user.lng != null ? { lat: user.lat, lng: user.lng } : null
}
