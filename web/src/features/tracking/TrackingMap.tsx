import { Skeleton } from '@mantine/core'
import { Suspense, useCallback, useMemo } from 'react'

import { isStraight } from '@/api/delivery-route'
import type { Delivery } from '@/api/generated/types.gen'
import { useDeliveryRoute } from '@/api/use-delivery-route'
import { lazyPart } from '@/lib/lazy-part'
import { useLiveState } from '@/lib/live/hooks'
import { useAfterFirstPaint, useAfterFirstRender } from '@/lib/render-timing'
import { useTexts } from '@/lib/texts'

import { ConnectionBanner } from './ConnectionBanner'
import { useDriverPosition } from './use-driver-position'
import { metresLeft } from './measures'
import { StatusSteps } from './StatusSteps'
import classes from './tracking.module.css'
import { TrackingFacts } from './TrackingFacts'

// The map and its library are only fetched where a map is looked at, and after what is read first. The library is asked
// for by itself, too: the browser reads it in a separate task, between which and the rest it can answer a touch.
const DeliveryMap = lazyPart(async () => {
  const [map] = await Promise.all([import('./DeliveryMap'), import('@/ui/map/leaflet-parts.js')])
  return { default: map.DeliveryMap }
})

/** One delivery, followed live: status, map, arrival. */
export function TrackingMap({ delivery }: { delivery: Delivery }) {
  return <Tracking key={delivery._id} delivery={delivery} />
}

function Tracking({ delivery }: { delivery: Delivery }) {
  const t = useTexts()
  const positionSource = useDriverPosition(delivery)
  const painted = useAfterFirstPaint()
  const showRest = useAfterFirstRender()
  // The route is fetched along with the map, after what is read first.
  const { route, routeProgress, onOffRoute } = useDeliveryRoute(painted ? delivery : null, positionSource)
  const isRough = useLiveState() === 'lost' || (route !== undefined && isStraight(route))
  const readMetresLeft = useCallback(() => metresLeft(route, routeProgress.latest), [route, routeProgress])
  // Memoized: the map is drawn in small pieces, which other changes must not interrupt.
  const map = useMemo(() => {
    const placeholder = <Skeleton height="100%" radius={0} />
    if (!painted) return placeholder
    return (
      <Suspense fallback={placeholder}>
        <DeliveryMap {...{ delivery, positionSource, route, routeProgress, onOffRoute }} />
      </Suspense>
    )
  }, [delivery, positionSource, route, routeProgress, onOffRoute, painted])
  return (
    <section className={classes.tracking} aria-label={t('tracking.trackingOf', { order: delivery.orderId })} data-testid="tracking">
      <StatusSteps status={delivery.status} />
      {delivery.status !== 'delivered' && <ConnectionBanner />}
      <div className={classes.mapBox}>{map}</div>
      {showRest && (
        <TrackingFacts delivery={delivery} positionSource={positionSource} isRough={isRough} readMetresLeft={readMetresLeft} />
      )}
    </section>
  )
}
