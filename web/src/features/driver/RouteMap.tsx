import type { Delivery } from '@/api/generated/types.gen'
import { useDeliveryRoute } from '@/api/use-delivery-route'
import { useTexts } from '@/lib/texts'
import { CityMap } from '@/ui/map/CityMap'
import { FitBounds } from '@/ui/map/FitBounds'
import { CITY_CENTRE, isKnown } from '@/ui/map/geo'
import { MovingMarker } from '@/ui/map/MovingMarker'
import { Pin } from '@/ui/map/Pin'
import { pointsNow } from '@/ui/map/route-points'
import { RouteLegs } from '@/ui/map/RouteLegs'

import { useSharing } from './sharing'
import type { Stop } from './stops'

const ZOOM = 13

function stopLabel({ name, address, kind }: Stop, t: ReturnType<typeof useTexts>): string {
  return name || address || t(`driver.${kind}`)
}

interface Props {
  stops: Stop[]
  /** The delivery that the next stop is for. */
  next: Delivery | null
}

/** The stops, the route to the next ones, and the driver among them. */
export function RouteMap({ stops, next }: Props) {
  const t = useTexts()
  const { positionSource, on } = useSharing()
  const { route, routeProgress, onOffRoute } = useDeliveryRoute(next, positionSource)
  const ahead = pointsNow(route)
  const known = stops.map(({ place }) => place).filter((place) => isKnown(place))
  return (
    <CityMap centre={known[0] ?? CITY_CENTRE} zoom={ZOOM} label={t('driver.mapOfTrip')}>
      {stops.map((stop) => (
        <Pin key={stop.id} kind={stop.kind} place={stop.place} label={stopLabel(stop, t)} />
      ))}
      {route !== undefined && <RouteLegs legs={route} routeProgress={routeProgress} />}
      {on && (
        <MovingMarker
          deliveryId="own"
          label={t('driver.you')}
          positionSource={positionSource}
          follow
          {...(ahead === undefined ? {} : { route: ahead })}
          routeProgress={routeProgress}
          onOffRoute={onOffRoute}
        />
      )}
      <FitBounds places={known} />
    </CityMap>
  )
}
