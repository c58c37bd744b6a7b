import { LatLng } from 'leaflet'
import { useEffect, useState } from 'react'
import { useMap } from 'react-leaflet'

import classes from './map.module.css'
import { type Placed, PlacedLayer } from './placed-layer'

/** The driver where a moment has them, kept in sight. */
export function PlacedMarker({ placed, label }: { placed: Placed | null; label: string }) {
  const map = useMap()
  const [layer] = useState(() => new PlacedLayer(label, classes.driver ?? '', classes.trail ?? ''))

  useEffect(() => {
    layer.addTo(map)
    return () => {
      layer.remove()
    }
  }, [layer, map])

  useEffect(() => {
    layer.put(placed)
    if (placed === null) return
    const at = new LatLng(placed.place.lat, placed.place.lng)
    if (!map.getBounds().pad(-0.15).contains(at)) map.panTo(at, { animate: false })
  }, [layer, map, placed])

  return null
}
