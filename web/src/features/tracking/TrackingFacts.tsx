import { VisuallyHidden } from '@mantine/core'
import { memo } from 'react'

import type { Delivery } from '@/api/generated/types.gen'
import { clockText } from '@/lib/format'
import { useTexts } from '@/lib/texts'
import { useEverySecond, useNow } from '@/lib/use-every-second'
import type { PositionSource } from '@/ui/map/position-source'
import { statusLabel } from '@/ui/StatusBadge'

import { arrivalOf, arrivalSentence, arrivalText, isLate, timeLeftText } from './arrival'
import { ageOf, ageText, distanceText } from './measures'
import classes from './tracking.module.css'

/** The shortest interval of a screen reader's updates, in milliseconds; a new status is read at once. */
const ANNOUNCEMENT_INTERVAL = 20_000

interface Props {
  delivery: Delivery
  positionSource: PositionSource
  /** True if no street is known, or the range may be an old one. */
  isRough: boolean
  /** The metres still to go; null where they are unknown. */
  readMetresLeft: () => number | null
}

/** The content of the map in words and figures. */
export function TrackingFacts({ delivery, positionSource, isRough, readMetresLeft }: Props) {
  const t = useTexts()
  const position = useEverySecond(() => positionSource.latest)
  const metres = useEverySecond(readMetresLeft)
  const now = useNow()
  const delivered = delivery.status === 'delivered'
  const arrival = delivered ? null : arrivalOf(delivery, isRough)
  const age = position === null || delivered ? null : ageText(position.at, now)
  const promised = clockText(delivery.promisedTime)

  return (
    <>
      <dl className={classes.facts}>
        <div className={classes.fact}>
          <dt>{arrival === null ? t('tracking.arrival') : t('tracking.arriving')}</dt>
          <dd
            className={classes.figure}
            data-testid="eta"
            data-late={arrival === null ? undefined : isLate(arrival, now) || undefined}
          >
            {arrival === null ? (delivered ? statusLabel('delivered') : t('tracking.waitingForDriver')) : arrivalText(arrival, now)}
          </dd>
          {arrival !== null && (
            <dd className={classes.aside} data-testid="time-left">
              {timeLeftText(arrival, now)}
            </dd>
          )}
        </div>
        <div className={classes.fact}>
          <dt>{t('tracking.promisedBy')}</dt>
          <dd className={classes.figure} data-testid="promised">
            {promised}
          </dd>
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
          {metres !== null && !delivered && <dd className={classes.aside}>{t('tracking.toGo', { distance: distanceText(metres) })}</dd>}
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
          arrival === null ? '' : arrivalSentence(arrival, now),
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
