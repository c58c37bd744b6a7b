import { useQuery } from '@tanstack/react-query'

import { estimatesQuery } from '@/api/estimates'
import type { DeliveryEstimate, Restaurant } from '@/api/generated/types.gen'
import { placeOf, profileQuery } from '@/api/profile'
import { useAfterFirstPaint } from '@/lib/render-timing'
import { useSessionUser } from '@/lib/session'

const none: ReadonlyMap<string, DeliveryEstimate> = new Map()

/** The times in which orders placed now would reach the customer, by restaurant: of open ones, once the place is known. */
export function useEstimates(restaurants: readonly Restaurant[]) {
  const user = useSessionUser()
  const isCustomer = user?.role === 'customer'
  // The cards come first.
  const painted = useAfterFirstPaint()
  const profile = useQuery({ ...profileQuery(isCustomer ? user.id : undefined), enabled: painted })
  const place = isCustomer ? placeOf(profile.data) : null
  const open = restaurants.filter(({ isOpen }) => isOpen).map(({ _id }) => _id)
  const { data = none, isError } = useQuery(estimatesQuery(place, open))
  return {
    estimates: data,
    /** False where none will come. */
    mayCome: isCustomer && !isError && open.length > 0 && (profile.isPending || place !== null),
  }
}
