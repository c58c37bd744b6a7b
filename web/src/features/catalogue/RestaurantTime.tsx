import { useQuery } from '@tanstack/react-query'

import { estimatesQuery } from '@/api/estimates'
import { placeOf, profileQuery } from '@/api/profile'
import { useAfterFirstPaint } from '@/lib/render-timing'
import { useSessionUser } from '@/lib/session'
import { DeliveryTime } from '@/ui/DeliveryTime'

interface Props {
  restaurantId: string
  /** The restaurants that are asked for at once. */
  among: readonly string[]
}

/** The time in which an order placed now would reach the customer; nothing until it and the place are known. */
export function RestaurantTime({ restaurantId, among }: Props) {
  const user = useSessionUser()
  // What the page is about comes first.
  const painted = useAfterFirstPaint()
  const profile = useQuery({ ...profileQuery(user?.id), enabled: painted })
  const { data } = useQuery(estimatesQuery(placeOf(profile.data), among))
  const estimate = data?.get(restaurantId)
  return estimate === undefined ? null : <DeliveryTime range={estimate} />
}
