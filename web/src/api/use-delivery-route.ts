import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'

import { isKnown } from '@/ui/map/geo'
import { WaySource } from '@/ui/map/motion/way-source'
import type { PositionSource } from '@/ui/map/position-source'
import { pointsNow } from '@/ui/map/route-points'

import { deliveryRouteQuery } from './delivery-route'
import type { Delivery } from './generated/types.gen'

/** The shortest time between two requests for another way, in milliseconds. */
const ASK_INTERVAL = 10_000

/**
 * The way of a delivery, as long as the driver keeps to it. Where the driver leaves it, or is seen for the first time,
 * it is asked for again.
 */
export function useDeliveryRoute(delivery: Delivery | null, positionSource: PositionSource) {
  const [isOff, setIsOff] = useState(false)
  const query = deliveryRouteQuery(delivery)
  const { data: route, refetch } = useQuery({ ...query, ...(isOff ? { refetchInterval: ASK_INTERVAL } : {}) })
  const points = pointsNow(route)
  // The way behind the driver counts for these points alone.
  const [way, setWay] = useState(() => ({ points, waySource: new WaySource() }))
  if (way.points !== points) {
    setWay({ points, waySource: new WaySource() })
    setIsOff(false)
  }
  const { waySource } = way
  const asked = useRef(Number.NEGATIVE_INFINITY)

  const askAgain = useCallback(() => {
    const now = performance.now()
    if (now - asked.current < ASK_INTERVAL) return
    asked.current = now
    void refetch()
  }, [refetch])

  const onOffRoute = useCallback(() => {
    setIsOff(true)
    askAgain()
  }, [askAgain])

  useEffect(
    () =>
      waySource.subscribe((along) => {
        if (along !== null) setIsOff(false)
      }),
    [waySource],
  )

  // The way to the restaurant begins where the driver is.
  const isUnseen =
    delivery?.status === 'picked up' &&
    isKnown({ lat: delivery.restaurantLat, lng: delivery.restaurantLng }) &&
    route !== undefined &&
    route.toRestaurant == null
  useEffect(() => {
    if (isUnseen) return positionSource.subscribe(askAgain)
  }, [isUnseen, positionSource, askAgain])

  return { route, waySource, onOffRoute }
}
