import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { restaurantQuery } from '@/api/catalogue'
import type { Coordinates } from '@/lib/geolocation'
import { useTexts } from '@/lib/texts'
import { CityMap } from '@/ui/map/CityMap'
import { CITY_CENTRE, isKnown } from '@/ui/map/geo'
import { Pin } from '@/ui/map/Pin'
import { PlacedMarker } from '@/ui/map/PlacedMarker'

import type { DriverPosition } from './driver-position'

const ZOOM = 14

interface Props {
  order: string
  driver: DriverPosition | null
  /** The centre of the map at the start. */
  begin: Coordinates | null
  restaurantId: string | null
  destination: Coordinates | null
}

/** The driver's way between the restaurant and the door. */
export function DriverMap({ order, driver, begin, restaurantId, destination }: Props) {
  const t = useTexts()
  const { data: restaurant } = useQuery({ ...restaurantQuery(restaurantId ?? ''), enabled: restaurantId !== null })
  const [centre] = useState(() => [begin, destination].find((place) => isKnown(place)) ?? CITY_CENTRE)
  const kitchen = { lat: restaurant?.lat ?? 0, lng: restaurant?.lng ?? 0 }
  return (
    <CityMap centre={centre} zoom={ZOOM} label={t('operator.timelineMap', { order })}>
      <Pin kind="restaurant" place={kitchen} label={restaurant?.name ?? t('operator.timelineRestaurant')} />
      {destination !== null && <Pin kind="destination" place={destination} label={t('operator.timelineDestination')} />}
      <PlacedMarker placed={driver} label={t('operator.timelineDriver')} />
    </CityMap>
  )
}
