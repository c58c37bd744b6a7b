import { useReducedMotion } from '@mantine/hooks'
import { LatLng } from 'leaflet'
import { useEffect } from 'react'
import { useMap } from 'react-leaflet'

import type { PositionSource } from './position-source'
import { GlidingLayer } from './gliding-layer'
import classes from './map.module.css'

interface Props {
  deliveryId: string
  label: string
  positionSource: PositionSource
  /** Keeps the marker in sight. */
  follow: boolean
}

/** The distance from the edge at which the followed marker moves the map, as a share of it. */
const EDGE = 0.2

export function GlidingMarker({ deliveryId, label, positionSource, follow }: Props) {
  const map = useMap()
  const reducedMotion = useReducedMotion()

  useEffect(() => {
    const layer = new GlidingLayer({
      deliveryId,
      label,
      reducedMotion,
      className: classes.driver ?? '',
      trailClassName: classes.trail ?? '',
    })
    layer.addTo(map)
    if (positionSource.latest !== null) layer.push(positionSource.latest)
    const unsubscribe = positionSource.subscribe((position) => {
      layer.push(position)
    })
    return () => {
      unsubscribe()
      layer.remove()
    }
  }, [map, deliveryId, label, positionSource, reducedMotion])

  useEffect(() => {
    if (!follow) return
    const keepInSight = () => {
      if (positionSource.latest === null) return
      const at = new LatLng(positionSource.latest.lat, positionSource.latest.lng)
      const { x, y } = map.latLngToContainerPoint(at)
      const size = map.getSize()
      const inside = (value: number, whole: number) => value > whole * EDGE && value < whole * (1 - EDGE)
      if (!inside(x, size.x) || !inside(y, size.y)) map.panTo(at, { animate: !reducedMotion, duration: 0.8, easeLinearity: 0.4 })
    }
    keepInSight()
    return positionSource.subscribe(keepInSight)
  }, [map, positionSource, follow, reducedMotion])

  return null
}
