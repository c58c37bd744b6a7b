import { LatLngBounds } from 'leaflet'
import { useEffect } from 'react'
import { useMap } from 'react-leaflet'

import type { Coordinates } from '@/lib/geolocation'
import { useTexts } from '@/lib/texts'
import { CityMap } from '@/ui/map/CityMap'
import { CITY_CENTRE, isKnown } from '@/ui/map/geo'
import { GlidingMarker } from '@/ui/map/GlidingMarker'
import { Pin } from '@/ui/map/Pin'

import { useSharing } from './sharing'
import type { Stop } from './stops'

const ZOOM = 13

function stopLabel({ name, address, kind }: Stop, t: ReturnType<typeof useTexts>): string {
  return name || address || t(`driver.${kind}`)
}

/** The stops, and the driver among them. */
export function RouteMap({ stops }: { stops: Stop[] }) {
  const t = useTexts()
  const { positionSource, on } = useSharing()
  const known = stops.map(({ place }) => place).filter((place) => isKnown(place))
  return (
    <CityMap centre={known[0] ?? CITY_CENTRE} zoom={ZOOM} label={t('driver.mapOfTrip')}>
      {stops.map((stop) => (
        <Pin key={stop.id} kind={stop.kind} place={stop.place} label={stopLabel(stop, t)} />
      ))}
      {on && <GlidingMarker deliveryId="own" label={t('driver.you')} positionSource={positionSource} follow />}
      <FitBounds places={known} />
    </CityMap>
  )
}

/** Shows all stops whenever they change. */
function FitBounds({ places }: { places: Coordinates[] }) {
  const map = useMap()
  const corners = JSON.stringify(places.map(({ lat, lng }) => [lat, lng]))
  useEffect(() => {
    const bounds = new LatLngBounds(JSON.parse(corners))
    if (bounds.isValid()) map.fitBounds(bounds, { padding: [48, 56], maxZoom: 16, animate: false })
  }, [map, corners])
  return null
}
