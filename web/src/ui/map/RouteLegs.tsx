import type { WaySource } from './motion/way-source'
import type { Legs } from './route-points'
import { RouteLine } from './RouteLine'

/** The way of a delivery on the map; the leg with the food is light while the driver fetches it. */
export function RouteLegs({ legs: { toRestaurant, toDestination }, waySource }: { legs: Legs; waySource?: WaySource }) {
  const isFetching = toRestaurant != null
  // Only the leg that is driven now has a driven part.
  const ofNow = waySource === undefined ? {} : { waySource }
  return (
    <>
      {toDestination && <RouteLine {...toDestination} isLater={isFetching} {...(isFetching ? {} : ofNow)} />}
      {toRestaurant && <RouteLine {...toRestaurant} {...ofNow} />}
    </>
  )
}
