import { useReducedMotion } from '@mantine/hooks'
import { LatLng } from 'leaflet'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useMap } from 'react-leaflet'

import type { Coordinates } from '@/lib/geolocation'
import { useTexts } from '@/lib/texts'

import type { RouteProgress } from './motion/route-progress'
import type { PositionSource } from './position-source'
import classes from './map.module.css'
import { MovingLayer } from './moving-layer'

interface Props {
  deliveryId: string
  label: string
  positionSource: PositionSource
  /** Keeps the marker in sight. */
  follow: boolean
  /** The street ahead, which the marker follows between positions. */
  route?: Coordinates[]
  /** Is handed the metres from the beginning of the route. */
  routeProgress?: RouteProgress
  /** The driver has left the route. */
  onOffRoute?: () => void
}

/** The distance from the edge at which the followed marker moves the map, as a share of it. */
const EDGE = 0.2
/** Milliseconds between two looks at that distance: the map takes nearly as long to move. */
const LOOK = 1000

export function MovingMarker({ deliveryId, label, positionSource, follow, route, routeProgress, onOffRoute }: Props) {
  const map = useMap()
  const t = useTexts()
  const reducedMotion = useReducedMotion()
  const shown = useRef<MovingLayer | null>(null)
  const looked = useRef(0)
  const guessing = t('app.markerGuessing', { marker: label })
  const lost = t('app.markerLost', { marker: label })

  const keepInSight = useEffectEvent((place: Coordinates) => {
    const at = new LatLng(place.lat, place.lng)
    const { x, y } = map.latLngToContainerPoint(at)
    const size = map.getSize()
    const inside = (value: number, whole: number) => value > whole * EDGE && value < whole * (1 - EDGE)
    if (!inside(x, size.x) || !inside(y, size.y)) map.panTo(at, { animate: !reducedMotion, duration: 0.8, easeLinearity: 0.4 })
  })
  const move = useEffectEvent((place: Coordinates, along: number | null) => {
    routeProgress?.push(along)
    const now = performance.now()
    if (!follow || now - looked.current < LOOK) return
    looked.current = now
    keepInSight(place)
  })
  const leaveRoute = useEffectEvent(() => onOffRoute?.())

  useEffect(() => {
    const layer = new MovingLayer({
      deliveryId,
      labels: { measured: label, guessing, lost },
      reducedMotion,
      className: classes.driver ?? '',
      trailClassName: classes.trail ?? '',
      onMove: (place, along) => {
        move(place, along)
      },
      onOffRoute: () => {
        leaveRoute()
      },
    })
    shown.current = layer
    layer.addTo(map)
    if (positionSource.latest !== null) layer.push(positionSource.latest)
    const unsubscribe = positionSource.subscribe((position) => {
      layer.push(position)
    })
    return () => {
      unsubscribe()
      layer.remove()
      shown.current = null
    }
  }, [map, deliveryId, label, guessing, lost, positionSource, reducedMotion])

  useEffect(() => {
    shown.current?.setRoute(route ?? null)
  }, [map, deliveryId, label, guessing, lost, positionSource, reducedMotion, route])

  useEffect(() => {
    const place = shown.current?.place
    if (follow && place != null) keepInSight(place)
  }, [follow])

  return null
}
