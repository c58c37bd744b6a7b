import { Button } from '@mantine/core'
import { IconCurrentLocation, IconRoute } from '@tabler/icons-react'
import { DomEvent, LatLngBounds } from 'leaflet'
import { useState } from 'react'
import { useMap, useMapEvent } from 'react-leaflet'

import type { Delivery, DeliveryRoute } from '@/api/generated/types.gen'
import type { Coordinates } from '@/lib/geolocation'
import { useTexts } from '@/lib/texts'
import { CityMap } from '@/ui/map/CityMap'
import { CITY_CENTRE, isKnown } from '@/ui/map/geo'
import { MovingMarker } from '@/ui/map/MovingMarker'
import type { RouteProgress } from '@/ui/map/motion/route-progress'
import { Pin } from '@/ui/map/Pin'

import type { PositionSource } from '@/ui/map/position-source'
import { pointsNow } from '@/ui/map/route-points'
import { RouteLegs } from '@/ui/map/RouteLegs'
import classes from './tracking.module.css'

const ZOOM = 13

interface Props {
  delivery: Delivery
  positionSource: PositionSource
  route: DeliveryRoute | undefined
  routeProgress: RouteProgress
  onOffRoute: () => void
}

/** The delivery on the map: restaurant, destination, the route and the driver on it. */
export function DeliveryMap({ delivery, positionSource, route, routeProgress, onOffRoute }: Props) {
  const t = useTexts()
  const [follow, setFollow] = useState(true)
  const restaurant = { lat: delivery.restaurantLat, lng: delivery.restaurantLng }
  const destination = { lat: delivery.destLat, lng: delivery.destLng }
  const seen = { lat: delivery.lat, lng: delivery.lng }
  const underWay = delivery.status !== 'delivered'
  const [centre] = useState(
    () => [positionSource.latest, underWay ? seen : null, destination, restaurant].find((place) => isKnown(place)) ?? CITY_CENTRE,
  )

  const ahead = pointsNow(route)
  const legs = [route?.toRestaurant, route?.toDestination]

  return (
    <CityMap centre={centre} zoom={ZOOM} label={t('tracking.mapOf', { order: delivery.orderId })}>
      <Pin kind="restaurant" place={restaurant} label={t('tracking.restaurant')} />
      <Pin kind="destination" place={destination} label={t('tracking.destination')} />
      {underWay && route !== undefined && <RouteLegs legs={route} routeProgress={routeProgress} />}
      {underWay && (
        <MovingMarker
          deliveryId={delivery._id}
          label={t('tracking.driversLocation')}
          positionSource={positionSource}
          follow={follow}
          {...(ahead === undefined ? {} : { route: ahead })}
          routeProgress={routeProgress}
          onOffRoute={onOffRoute}
        />
      )}
      <MapButtons
        places={[restaurant, destination, ...legs.flatMap((leg) => leg?.points ?? [])]}
        positionSource={positionSource}
        follow={follow}
        underWay={underWay}
        onFollow={setFollow}
      />
    </CityMap>
  )
}

interface ButtonsProps {
  places: Coordinates[]
  positionSource: PositionSource
  follow: boolean
  underWay: boolean
  onFollow: (follow: boolean) => void
}

function MapButtons({ places, positionSource, follow, underWay, onFollow }: ButtonsProps) {
  const t = useTexts()
  const map = useMap()
  useMapEvent('dragstart', () => {
    onFollow(false)
  })
  const showAll = () => {
    const known = [...places, positionSource.latest].filter((place) => isKnown(place))
    if (known.length === 0) return
    onFollow(false)
    map.fitBounds(new LatLngBounds(known.map(({ lat, lng }) => [lat, lng])), { padding: [56, 64], maxZoom: 16 })
  }
  const showDriver = () => {
    onFollow(true)
    if (positionSource.latest !== null) map.panTo(positionSource.latest)
  }
  // The map must not take a click on a button for one on itself.
  const keepClicks = (element: HTMLElement | null) => {
    if (element !== null) DomEvent.disableClickPropagation(element)
  }
  return (
    <div ref={keepClicks} className={classes.mapButtons}>
      {underWay && !follow && (
        <Button size="xs" leftSection={<IconCurrentLocation size={16} />} onClick={showDriver}>
          {t('tracking.followDriver')}
        </Button>
      )}
      <Button size="xs" variant="default" leftSection={<IconRoute size={16} />} onClick={showAll}>
        {t('tracking.wholeTrip')}
      </Button>
    </div>
  )
}
