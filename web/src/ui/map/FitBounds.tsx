import { LatLngBounds } from 'leaflet'
import { useEffect } from 'react'
import { useMap } from 'react-leaflet'

import type { Coordinates } from '@/lib/geolocation'

/** Shows all places whenever they change. */
export function FitBounds({ places }: { places: Coordinates[] }) {
  const map = useMap()
  const corners = JSON.stringify(places.map(({ lat, lng }) => [lat, lng]))
  useEffect(() => {
    const bounds = new LatLngBounds(JSON.parse(corners))
    if (bounds.isValid()) map.fitBounds(bounds, { padding: [48, 56], maxZoom: 16, animate: false })
  }, [map, corners])
  return null
}
