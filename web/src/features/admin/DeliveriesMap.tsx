import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { deliveriesQuery } from '@/api/deliveries'
import { deliveryRouteQuery } from '@/api/delivery-route'
import type { Delivery, DeliveryRoute } from '@/api/generated/types.gen'
import { useTopic } from '@/lib/live/hooks'
import { EVERY_DELIVERY } from '@/lib/live/topics'
import { useTexts } from '@/lib/texts'
import { CityMap } from '@/ui/map/CityMap'
import { CITY_CENTRE } from '@/ui/map/geo'
import { FleetPositionSource } from '@/ui/map/fleet-position-source'
import { FleetMarkers } from '@/ui/map/FleetMarkers'
import { Pin } from '@/ui/map/Pin'
import { pointsNow } from '@/ui/map/route-points'
import { RouteLegs } from '@/ui/map/RouteLegs'

import classes from './dashboard.module.css'
import { DeliveryDetails } from './DeliveryDetails'
import { DeliveriesTable } from './DeliveriesTable'

const ZOOM = 13

/** The look of a delivery on the map. */
const kinds: Record<Delivery['status'], number> = { 'picked up': 0, 'on the way': 1, delivered: 1 }

/** Every delivery under way on one map, and beside it as a table. */
export function DeliveriesMap({ deliveries, isPending }: { deliveries: Delivery[]; isPending: boolean }) {
  const t = useTexts()
  const [positionSource] = useState(() => new FleetPositionSource())
  const [picked, setPicked] = useState<string | null>(null)
  // Positions go past React, straight to the canvas.
  useTopic(EVERY_DELIVERY, (frame) => {
    if (frame.type === 'position') positionSource.push(frame.deliveryId, frame)
  })
  const shown = deliveries.find((delivery) => delivery._id === picked) ?? null
  const queries = useQueryClient()
  useTopic(shown === null ? null : `delivery:${shown._id}`, (frame) => {
    if (frame.type !== 'position') void queries.invalidateQueries({ queryKey: deliveriesQuery().queryKey })
  })
  const { data: route } = useQuery(deliveryRouteQuery(shown))
  const ahead = pointsNow(route)
  return (
    <>
      <div className={classes.map}>
        <CityMap centre={CITY_CENTRE} zoom={ZOOM} label={t('admin.mapLabel', { count: deliveries.length })}>
          <FleetMarkers
            members={deliveries.map(({ _id, lat, lng, status }) => ({
              ...{ id: _id, lat, lng, kind: kinds[status] },
              ...(_id === picked && ahead !== undefined ? { route: ahead } : {}),
            }))}
            positionSource={positionSource}
            picked={shown === null ? null : shown._id}
            onPick={setPicked}
          />
          {shown !== null && <PickedRoute delivery={shown} route={route} />}
        </CityMap>
        {shown !== null && (
          <DeliveryDetails
            delivery={shown}
            onClose={() => {
              setPicked(null)
            }}
          />
        )}
      </div>
      <DeliveriesTable deliveries={deliveries} isPending={isPending} onShow={setPicked} />
    </>
  )
}

/** The picked delivery between its restaurant and its door. */
function PickedRoute({ delivery, route }: { delivery: Delivery; route: DeliveryRoute | undefined }) {
  const t = useTexts()
  const { restaurantLat, restaurantLng, destLat, destLng } = delivery
  return (
    <>
      {route !== undefined && <RouteLegs legs={route} />}
      <Pin kind="restaurant" place={{ lat: restaurantLat, lng: restaurantLng }} label={t('admin.pickup')} />
      <Pin kind="destination" place={{ lat: destLat, lng: destLng }} label={t('admin.destination')} />
    </>
  )
}
