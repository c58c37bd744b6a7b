import { useReducedMotion } from '@mantine/hooks'
import { LatLng } from 'leaflet'
import { useEffect } from 'react'
import { useMap } from 'react-leaflet'

import type { FixFeed } from './fixes'
import { GlidingLayer } from './gliding-layer'
import classes from './map.module.css'

interface Props {
  deliveryId: string
  label: string
  feed: FixFeed
  /** Keeps the marker in sight. */
  follow: boolean
}

/** The distance from the edge at which the followed marker moves the map, as a share of it. */
const EDGE = 0.2

export function GlidingMarker({ deliveryId, label, feed, follow }: Props) {
  const map = useMap()
  const still = useReducedMotion()

  useEffect(() => {
    const layer = new GlidingLayer({
      deliveryId,
      label,
      still,
      className: classes.driver ?? '',
      trailClassName: classes.trail ?? '',
    })
    layer.addTo(map)
    if (feed.latest !== null) layer.push(feed.latest)
    const leave = feed.subscribe((fix) => {
      layer.push(fix)
    })
    return () => {
      leave()
      layer.remove()
    }
  }, [map, deliveryId, label, feed, still])

  useEffect(() => {
    if (!follow) return
    const keepInSight = () => {
      if (feed.latest === null) return
      const at = new LatLng(feed.latest.lat, feed.latest.lng)
      const { x, y } = map.latLngToContainerPoint(at)
      const size = map.getSize()
      const inside = (value: number, whole: number) => value > whole * EDGE && value < whole * (1 - EDGE)
      if (!inside(x, size.x) || !inside(y, size.y)) map.panTo(at, { animate: !still, duration: 0.8, easeLinearity: 0.4 })
    }
    keepInSight()
    return feed.subscribe(keepInSight)
  }, [map, feed, follow, still])

  return null
}
