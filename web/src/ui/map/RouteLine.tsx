import { useEffect } from 'react'
import { useMap } from 'react-leaflet'

import type { Coordinates } from '@/lib/geolocation'

import type { RouteProgress } from './motion/route-progress'
import { type Basis, RouteLayer } from './route-layer'
import classes from './map.module.css'

interface Props {
  points: Coordinates[]
  /** A straight line is dashed: no vehicle drives there. */
  basis: Basis
  /** A leg that comes after the one that is driven now is light. */
  isLater?: boolean
  /** Says how far the driver is: the same source as the marker's, for the same points. */
  routeProgress?: RouteProgress
}

/** The driver's route on the map, with the part behind them faded. */
export function RouteLine({ points, basis, isLater = false, routeProgress }: Props) {
  const map = useMap()

  useEffect(() => {
    const layer = new RouteLayer(points, basis, {
      edge: isLater ? `${classes.routeEdge} ${classes.routeLater}` : (classes.routeEdge ?? ''),
      ahead: isLater ? `${classes.route} ${classes.routeLater}` : (classes.route ?? ''),
      driven: classes.routeDriven ?? '',
      straight: classes.routeStraight ?? '',
    })
    layer.show(routeProgress?.latest ?? null)
    layer.addTo(map)
    const unsubscribe = routeProgress?.subscribe((along) => {
      layer.show(along)
    })
    return () => {
      unsubscribe?.()
      layer.remove()
    }
  }, [map, points, basis, isLater, routeProgress])

  return null
}
