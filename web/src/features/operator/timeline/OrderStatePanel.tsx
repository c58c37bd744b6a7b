import { Badge, Group } from '@mantine/core'

import { Fact } from '@/features/operator/Fact'
import { durationText } from '@/features/operator/format'
import { useTexts } from '@/lib/texts'
import { StatusBadge } from '@/ui/StatusBadge'

import type { TimelineEvent } from './history'
import { DriverName } from './DriverName'
import { PaymentFacts } from './PaymentFacts'
import type { OrderState } from './state'
import { minuteText, secondText } from './format-time'
import classes from './timeline.module.css'
import type { DriverPosition } from './driver-position'
import { sendingText, customerNotifications, topicText } from './timeline-texts'

interface Props {
  state: OrderState
  driver: DriverPosition | null
  hasPositions: boolean
  last: TimelineEvent | null
  t: number
}

/** The state of the order at a moment: its status, the driver, the payments, the customer's notifications. */
export function OrderStatePanel({ state, driver, hasPositions, last, t }: Props) {
  const texts = useTexts()
  const notified = customerNotifications(state)
  return (
    <div className={classes.orderState} role="region" tabIndex={0} aria-label={texts('operator.timelineState')} data-testid="order-state">
      <dl>
        <Fact label={texts('operator.timelineOrder')}>
          {state.status === null ? (
            texts('operator.timelineNotPlaced')
          ) : (
            <Group gap={6}>
              <StatusBadge status={state.status} />
              {state.isApproved && (
                <Badge variant="light" color="leaf">
                  {texts('operator.timelineApproved')}
                </Badge>
              )}
              {state.isDeleted && (
                <Badge variant="light" color="red">
                  {texts('operator.timelineDeleted')}
                </Badge>
              )}
            </Group>
          )}
        </Fact>
        <Fact label={texts('operator.timelineDelivery')}>
          {state.delivery === null ? texts('operator.timelineNoDelivery') : <StatusBadge status={state.delivery} />}
          {state.promised !== null && <small>{texts('operator.timelinePromised', { time: minuteText(state.promised) })}</small>}
          {state.arrival !== null && (
            <small>
              {texts('operator.timelineArrival', {
                earliest: minuteText(state.arrival.earliest),
                latest: minuteText(state.arrival.latest),
              })}
            </small>
          )}
        </Fact>
        <Fact label={texts('operator.timelineDriver')}>
          {state.driverId !== null && (
            <div>
              <DriverName id={state.driverId} />
            </div>
          )}
          {driver === null ? (
            texts(hasPositions ? 'operator.timelineNotSeen' : 'operator.timelineNoPositions')
          ) : (
            <>
              {driver.place.lat.toFixed(5)}, {driver.place.lng.toFixed(5)}
              <small>{texts('operator.timelineSeen', { age: durationText((t - driver.lastSeen) / 1000) })}</small>
            </>
          )}
        </Fact>
        <PaymentFacts state={state} />
        <Fact label={texts('operator.timelineNotifications')}>
          {notified.length === 0 && texts('operator.timelineNoNotifications')}
          {notified.length > 0 && (
            <ol className={classes.notified}>
              {notified.map(({ id, at, topic, sendings }) => (
                <li key={id}>
                  {secondText(at)} {topicText(topic)}
                  {sendings.map((one) => (
                    <small key={one.channel}>{sendingText(one)}</small>
                  ))}
                </li>
              ))}
            </ol>
          )}
        </Fact>
        <Fact label={texts('operator.timelineLast')}>
          {last === null ? '–' : last.name}
          {last !== null && t > last.at && <small>{texts('operator.timelineAgo', { age: durationText((t - last.at) / 1000) })}</small>}
        </Fact>
      </dl>
    </div>
  )
}
