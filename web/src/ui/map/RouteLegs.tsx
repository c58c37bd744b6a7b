import type { RouteProgress } from './motion/route-progress'
import type { Legs } from './route-points'
import { RouteLine } from './RouteLine'

/** The route of a delivery on the map; the leg with the food is light while the driver fetches it. */
export function RouteLegs({ legs: { toRestaurant, toDestination }, routeProgress }: { legs: Legs; routeProgress?: RouteProgress }) {
  const isFetching = toRestaurant != null
  // Only the leg that is driven now has a driven part.
  const ofNow = routeProgress === undefined ? {} : { routeProgress }
  return (
    <>
      {toDestination && <RouteLine {...toDestination} isLater={isFetching} {...(isFetching ? {} : ofNow)} />}
      {toRestaurant && <RouteLine {...toRestaurant} {...ofNow} />}
    </>
  )
}
