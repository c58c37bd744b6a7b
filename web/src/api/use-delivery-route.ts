import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'

import { isKnown } from '@/ui/map/geo'
import { RouteProgress } from '@/ui/map/motion/route-progress'
import type { PositionSource } from '@/ui/map/position-source'
import { pointsNow } from '@/ui/map/route-points'

import { deliveryRouteQuery } from './delivery-route'
import type { Delivery } from './generated/types.gen'

/** The shortest time between two requests for another route, in milliseconds. */
const ASK_INTERVAL = 10_000

/**
 * The route of a delivery, as long as the driver keeps to it. Where the driver leaves it, or is seen for the first time,
 * it is asked for again.
 */
export function useDeliveryRoute(delivery: Delivery | null, positionSource: PositionSource) {
  const [isOff, setIsOff] = useState(false)
  const query = deliveryRouteQuery(delivery)
  const { data: route, refetch } = useQuery({ ...query, ...(isOff ? { refetchInterval: ASK_INTERVAL } : {}) })
  const points = pointsNow(route)
  // Progress counts for these points alone.
  const [current, setCurrent] = useState(() => ({ points, routeProgress: new RouteProgress() }))
  if (current.points !== points) {
    setCurrent({ points, routeProgress: new RouteProgress() })
    setIsOff(false)
  }
  const { routeProgress } = current
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
      routeProgress.subscribe((along) => {
        if (along !== null) setIsOff(false)
      }),
    [routeProgress],
  )

  // The route to the restaurant begins where the driver is.
  const isUnseen =
    delivery?.status === 'picked up' &&
    isKnown({ lat: delivery.restaurantLat, lng: delivery.restaurantLng }) &&
    route !== undefined &&
    route.toRestaurant == null
  useEffect(() => {
    if (isUnseen) return positionSource.subscribe(askAgain)
  }, [isUnseen, positionSource, askAgain])

  return { route, routeProgress, onOffRoute }
}
