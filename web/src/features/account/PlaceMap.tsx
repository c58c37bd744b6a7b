import { useEffect } from 'react'
import { useMap, useMapEvent } from 'react-leaflet'

import type { Coordinates } from '@/lib/geolocation'
import { useTexts } from '@/lib/texts'
import { CityMap } from '@/ui/map/CityMap'
import { MovablePin } from '@/ui/map/MovablePin'

const ZOOM = 15

interface Props {
  place: Coordinates
  onMove: (place: Coordinates) => void
}

function Follow({ place, onMove }: Props) {
  const map = useMap()
  useMapEvent('click', ({ latlng }) => {
    onMove({ lat: latlng.lat, lng: latlng.lng })
  })
  useEffect(() => {
    map.panInside([place.lat, place.lng], { padding: [70, 70] })
  }, [map, place])
  return null
}

/** The place on the map: a pin to drag, or to move by keyboard; a click puts it elsewhere. */
export function PlaceMap({ place, onMove }: Props) {
  const t = useTexts()
  return (
    <CityMap centre={place} zoom={ZOOM} label={t('account.mapOfPlace')}>
      <Follow place={place} onMove={onMove} />
      <MovablePin place={place} label={t('account.pinDescription')} onMove={onMove} />
    </CityMap>
  )
}
