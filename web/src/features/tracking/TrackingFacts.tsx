import { VisuallyHidden } from '@mantine/core'
import { memo } from 'react'

import type { Delivery } from '@/api/generated/types.gen'
import { clockText } from '@/lib/format'
import { useTexts } from '@/lib/texts'
import { statusLabel } from '@/ui/StatusBadge'

import type { DriverPositionSource } from './use-driver-position'
import { ageOf, ageText, distanceText, etaText, metresLeft, secondsLeft } from './eta'
import { useEverySecond, useNow } from './use-every-second'
import classes from './tracking.module.css'

/** The shortest interval of a screen reader's updates, in milliseconds; a new status is read at once. */
const ANNOUNCEMENT_INTERVAL = 20_000

interface Props {
  delivery: Delivery
  positionSource: DriverPositionSource
}

/** The content of the map in words and figures. */
export function TrackingFacts({ delivery, positionSource }: Props) {
  const t = useTexts()
  const position = useEverySecond(() => positionSource.latest)
  const speed = useEverySecond(() => Math.round(positionSource.pace.speed * 10) / 10)
  const now = useNow()
  const delivered = delivery.status === 'delivered'
  const metres = delivered
    ? null
    : metresLeft({
        fetching: delivery.status === 'picked up',
        driver: position,
        restaurant: { lat: delivery.restaurantLat, lng: delivery.restaurantLng },
        destination: { lat: delivery.destLat, lng: delivery.destLng },
      })
  const eta = metres === null ? null : etaText(metres, speed)
  const arrival = metres === null ? null : clockText(new Date(now + secondsLeft(metres, speed) * 1000).toISOString())
  const age = position === null || delivered ? null : ageText(position.at, now)
  const promised = clockText(delivery.estimatedTime)

  return (
    <>
      <dl className={classes.facts}>
        <div className={classes.fact}>
          <dt>{delivered ? t('tracking.arrival') : t('tracking.arrivingIn')}</dt>
          <dd className={classes.figure} data-testid="eta">
            {delivered ? statusLabel('delivered') : (eta ?? t('tracking.waitingForDriver'))}
          </dd>
          {arrival !== null && <dd className={classes.aside}>{t('tracking.aboutTime', { time: arrival })}</dd>}
        </div>
        <div className={classes.fact}>
          <dt>{t('tracking.promisedBy')}</dt>
          <dd className={classes.figure} data-testid="promised">
            {promised}
          </dd>
          {metres !== null && <dd className={classes.aside}>{t('tracking.toGo', { distance: distanceText(metres) })}</dd>}
        </div>
        <div className={classes.fact}>
          <dt>{t('tracking.driver')}</dt>
          <dd className={classes.figure}>{delivery.driverName ?? t('tracking.yourDriver')}</dd>
          {delivery.driverPhone && !delivered && (
            <dd className={classes.aside}>
              <a href={`tel:${delivery.driverPhone}`}>{delivery.driverPhone}</a>
            </dd>
          )}
        </div>
        <div className={classes.fact}>
          <dt>{t('tracking.position')}</dt>
          <dd className={classes.figure} data-testid="position-age">
            {delivered ? t('tracking.noLongerShared') : (age ?? t('tracking.notYetKnown'))}
          </dd>
          {position !== null && !delivered && (
            <dd className={classes.aside}>
              {position.lat.toFixed(4)}, {position.lng.toFixed(4)}
            </dd>
          )}
        </div>
      </dl>
      <Announcement
        turn={Math.floor(now / ANNOUNCEMENT_INTERVAL)}
        status={delivery.status}
        text={[
          t('tracking.announceStatus', { status: statusLabel(delivery.status) }),
          metres !== null && eta !== null
            ? t('tracking.announceDistance', { distance: distanceText(metres), eta: eta.toLowerCase() })
            : '',
          position !== null && age !== null ? t('tracking.announceAge', { seconds: ageOf(position.at, now) }) : '',
          delivered ? '' : t('tracking.announcePromise', { time: promised }),
        ]
          .filter((part) => part !== '')
          .join(' ')}
      />
    </>
  )
}

interface AnnouncementProps {
  turn: number
  status: string
  text: string
}

/** Announces changes at most once per interval, and a new status at once. */
const Announcement = memo(
  ({ text }: AnnouncementProps) => (
    <VisuallyHidden aria-live="polite" aria-atomic="true" data-testid="tracking-announcement">
      {text}
    </VisuallyHidden>
  ),
  (before, after) => before.turn === after.turn && before.status === after.status,
)
Announcement.displayName = 'Announcement'
