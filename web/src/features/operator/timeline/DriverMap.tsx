import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { restaurantQuery } from '@/api/catalogue'
import { plannedRouteQuery } from '@/api/delivery-route'
import type { Coordinates } from '@/lib/geolocation'
import { useSessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { CityMap } from '@/ui/map/CityMap'
import { FitBounds } from '@/ui/map/FitBounds'
import { CITY_CENTRE, isKnown } from '@/ui/map/geo'
import { Pin } from '@/ui/map/Pin'
import { PlacedMarker } from '@/ui/map/PlacedMarker'
import { RouteLine } from '@/ui/map/RouteLine'

import type { DriverPosition } from './driver-position'

const ZOOM = 14

interface Props {
  order: string
  driver: DriverPosition | null
  /** The centre of the map at the start. */
  begin: Coordinates | null
  restaurantId: string | null
  deliveryId: string | null
  /** Null while personal fields are masked, too. */
  destination: Coordinates | null
}

/** The driver's way between the restaurant and the door. */
export function DriverMap({ order, driver, begin, restaurantId, deliveryId, destination }: Props) {
  const t = useTexts()
  const { data: restaurant } = useQuery({ ...restaurantQuery(restaurantId ?? ''), enabled: restaurantId !== null })
  // Operators who are no administrators see no deliveries. The route would show a masked door.
  const isAdmin = useSessionUser()?.role === 'admin'
  const { data: route } = useQuery(plannedRouteQuery(isAdmin && destination !== null ? deliveryId : null))
  const planned = route?.toDestination
  const [centre] = useState(() => [begin, destination].find((place) => isKnown(place)) ?? CITY_CENTRE)
  const kitchen = { lat: restaurant?.lat ?? 0, lng: restaurant?.lng ?? 0 }
  return (
    <CityMap centre={centre} zoom={ZOOM} label={t('operator.timelineMap', { order })}>
      <Pin kind="restaurant" place={kitchen} label={restaurant?.name ?? t('operator.timelineRestaurant')} />
      {destination !== null && <Pin kind="destination" place={destination} label={t('operator.timelineDestination')} />}
      {planned && <RouteLine points={planned.points} basis={planned.basis} />}
      <FitBounds places={[begin, kitchen, destination].filter((place) => isKnown(place))} />
      <PlacedMarker placed={driver} label={t('operator.timelineDriver')} />
    </CityMap>
  )
}
