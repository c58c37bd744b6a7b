// The texts of a timeline.

import { nameOf } from '@/features/operator/envelope'
import { durationText } from '@/features/operator/format'
import { moneyText, titleCase } from '@/lib/format'
import { text, type TextId } from '@/lib/texts'
import { statusLabel } from '@/ui/StatusBadge'

import type { TimelineEvent } from './history'
import { type OrderState, paidOf, type Sending } from './state'
import { secondText } from './format-time'

const lanes: Record<string, TextId> = {
  order: 'operator.timelineLaneOrder',
  payment: 'operator.timelineLanePayment',
  delivery: 'operator.timelineLaneDelivery',
  position: 'operator.timelineLanePosition',
  notification: 'operator.timelineLaneNotification',
}

/** The name of a lane. */
export function laneText(lane: string): string {
  const id = lanes[lane]
  return id === undefined ? titleCase(lane) : text(id)
}

/** An event with the time since its cause. */
export function eventText(one: TimelineEvent, history: TimelineEvent[]): string {
  const values = { name: one.name, time: secondText(one.at) }
  const cause = causeText(one, history)
  return cause === null ? text('operator.timelineEvent', values) : text('operator.timelineEventAfter', { ...values, cause })
}

/** `12ms after order confirmed`; null for what has no cause. */
export function causeText({ cause, latency }: TimelineEvent, history: TimelineEvent[]): string | null {
  const from = history.find(({ id }) => id === cause)
  if (from === undefined || latency === null) return null
  return text('operator.timelineAfter', { latency: durationText(latency / 1000), cause: nameOf(from.event.type) })
}

/** `order delivered` of the topic `order_delivered`. */
export function topicText(topic: string): string {
  return titleCase(topic.replaceAll('_', ' '))
}

/** `mail 14:09:12`. */
export function sendingText({ channel, at, isSent }: Sending): string {
  const values = { channel, time: secondText(at) }
  return text(isSent ? 'operator.timelineSent' : 'operator.timelineNotSent', values)
}

/** The customer's notifications. */
export function customerNotifications({ notified, customerId }: OrderState) {
  return notified.filter(({ userId }) => userId === customerId)
}

/** The state of an order in a sentence. */
export function stateText(state: OrderState): string {
  if (state.status === null) return text('operator.timelineNotPlaced')
  return text('operator.timelineStateText', {
    order: statusLabel(state.status),
    delivery: state.delivery === null ? text('operator.timelineNoDelivery') : statusLabel(state.delivery),
    paid: moneyText(paidOf(state)),
    count: customerNotifications(state).length,
  })
}
