import { Button, Group } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'

import { deliveriesQuery } from '@/api/deliveries'
import { deliveryRouteQuery } from '@/api/delivery-route'
import type { Delivery, DeliveryRoute } from '@/api/generated/types.gen'
import { byTicket, leadOf } from '@/api/tickets'
import type { Coordinates } from '@/lib/geolocation'
import { useTopic } from '@/lib/live/hooks'
import { EVERY_DELIVERY } from '@/lib/live/topics'
import { useTexts } from '@/lib/texts'
import { CityMap } from '@/ui/map/CityMap'
import { FitBounds } from '@/ui/map/FitBounds'
import { CITY_CENTRE } from '@/ui/map/geo'
import { GoTo } from '@/ui/map/GoTo'
import { FleetPositionSource } from '@/ui/map/fleet-position-source'
import { FleetMarkers } from '@/ui/map/FleetMarkers'
import { Pin } from '@/ui/map/Pin'
import { pointsNow } from '@/ui/map/route-points'
import { RouteLegs } from '@/ui/map/RouteLegs'

import classes from './dashboard.module.css'
import { kinds, namesOf, placeOf, shiftsOf } from './deliveries-on-map'
import { DeliveryDetails } from './DeliveryDetails'
import { DeliveriesTable } from './DeliveriesTable'
import { MapLegend } from './MapLegend'

const ZOOM = 13

/** Every ticket under way on one map, and beside it as a table. */
export function DeliveriesMap({ deliveries, isPending }: { deliveries: Delivery[]; isPending: boolean }) {
  const t = useTexts()
  const isStill = useReducedMotion()
  const [positionSource] = useState(() => new FleetPositionSource())
  const [picked, setPicked] = useState<string | null>(null)
  // Positions go past React, straight to the canvas.
  useTopic(EVERY_DELIVERY, (frame) => {
    if (frame.type === 'position') positionSource.push(frame.deliveryId, frame)
  })
  const tickets = useMemo(() => byTicket(deliveries), [deliveries])
  const leads = useMemo(() => tickets.map(leadOf), [tickets])
  const ticket = tickets.find((one) => one.some((delivery) => delivery._id === picked))
  const shown = ticket === undefined ? null : leadOf(ticket)
  const queries = useQueryClient()
  useTopic(shown === null ? null : `delivery:${shown._id}`, (frame) => {
    if (frame.type !== 'position') void queries.invalidateQueries({ queryKey: deliveriesQuery().queryKey })
  })
  const { data: route } = useQuery(deliveryRouteQuery(shown))
  const ahead = pointsNow(route)
  const shifts = useMemo(() => shiftsOf(leads), [leads])
  // The places that the map was last fitted to; later moves leave the map to its reader.
  const [fitted, setFitted] = useState<{ places: Coordinates[]; request: number } | null>(null)
  const fit = () => {
    const places = leads.map(placeOf).filter((place) => place !== null)
    if (places.length > 0) setFitted({ places, request: (fitted?.request ?? 0) + 1 })
  }
  if (fitted === null && leads.some((delivery) => placeOf(delivery) !== null)) fit()
  const frame = useRef<HTMLDivElement>(null)
  const [asked, setAsked] = useState({ id: '', request: 0 })
  const isAsked = picked === asked.id
  const goal = shown !== null && isAsked ? placeOf(shown) : null
  const show = (id: string) => {
    setPicked(id)
    setAsked({ id, request: asked.request + 1 })
    frame.current?.scrollIntoView({ block: 'center', behavior: isStill ? 'auto' : 'smooth' })
  }
  return (
    <>
      <Group justify="space-between" gap="xs">
        <MapLegend />
        <Button size="compact-sm" variant="default" disabled={fitted === null} onClick={fit}>
          {t('admin.showAll')}
        </Button>
      </Group>
      <div className={classes.frame} ref={frame}>
        <div className={classes.map}>
          <CityMap centre={CITY_CENTRE} zoom={ZOOM} label={t('admin.mapLabel', { count: tickets.length })}>
            <FleetMarkers
              members={tickets.map((one) => {
                const { _id, lat, lng, status } = leadOf(one)
                return {
                  ...{ id: _id, lat, lng, kind: kinds[status], shift: shifts.get(_id) ?? { x: 0, y: 0 }, names: namesOf(one) },
                  ...(_id === shown?._id && ahead !== undefined ? { route: ahead } : {}),
                }
              })}
              positionSource={positionSource}
              picked={shown === null ? null : shown._id}
              onPick={setPicked}
            />
            {shown !== null && <PickedRoute delivery={shown} route={route} />}
            {fitted !== null && <FitBounds key={fitted.request} places={fitted.places} />}
            {goal !== null && <GoTo place={goal} request={asked.request} />}
          </CityMap>
        </div>
        {ticket !== undefined && (
          <DeliveryDetails
            // A row of the table asked for it: its reader goes on there.
            key={isAsked ? `asked ${String(asked.request)}` : 'picked'}
            takesFocus={isAsked}
            ticket={ticket}
            onClose={() => {
              setPicked(null)
            }}
          />
        )}
      </div>
      <DeliveriesTable tickets={tickets} isPending={isPending} onShow={show} />
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
