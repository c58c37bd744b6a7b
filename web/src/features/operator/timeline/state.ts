// An order's state at a moment: a fold over its events until then.

import type { EventView } from '@/api/generated/types.gen'
import { readEvent, textOf } from '@/features/operator/envelope'
import type { Coordinates } from '@/lib/geolocation'
import { cents, fromCents } from '@/lib/money'

import type { TimelineEvent } from './history'

/** One attempt to pay. */
export interface Payment {
  id: string
  at: number
  state: 'captured' | 'declined' | 'refunded'
  amount: number
  /** The refunded part of the amount. */
  refunded: number
  /** `Visa 4242`, `PayPal`. */
  means: string
}

/** A channel of a notification, and whether it failed. */
export interface Sending {
  channel: string
  at: number
  isSent: boolean
}

/** A notification. */
interface NotificationSent {
  id: string
  at: number
  userId: string
  /** `order_confirmed`, `delivery_on_the_way` … */
  topic: string
  sendings: Sending[]
}

export interface OrderState {
  code: string | null
  /** The orders of one checkout are paid together. */
  checkoutId: string | null
  /** The time of its placing in milliseconds. */
  placedAt: number | null
  /** Null before it is placed. */
  status: string | null
  isApproved: boolean
  isDeleted: boolean
  total: number
  customerId: string | null
  ownerId: string | null
  driverId: string | null
  deliveryId: string | null
  /** Null before there is a delivery. */
  delivery: string | null
  /** The promised time. */
  promised: string | null
  /** The expected time of arrival that pages showed, while the delivery is under way. */
  arrival: { earliest: string; latest: string } | null
  restaurantId: string | null
  destination: Coordinates | null
  payments: Payment[]
  notified: NotificationSent[]
}

/** Before anything has happened. */
export const initialState: OrderState = {
  code: null,
  checkoutId: null,
  placedAt: null,
  status: null,
  isApproved: false,
  isDeleted: false,
  total: 0,
  customerId: null,
  ownerId: null,
  driverId: null,
  deliveryId: null,
  delivery: null,
  promised: null,
  arrival: null,
  restaurantId: null,
  destination: null,
  payments: [],
  notified: [],
}

const statuses: Record<string, string> = {
  'order.placed': 'pending',
  'order.confirmed': 'confirmed',
  'order.preparing': 'preparing',
  'order.dispatched': 'dispatched',
  'order.delivered': 'delivered',
  'order.cancelled': 'cancelled',
}

/** Events that carry the new status of the order. */
const reopening = new Set(['order.reopened', 'order.cancel_refused'])

const deliveries: Record<string, string> = {
  'delivery.created': 'picked up',
  'delivery.picked_up': 'picked up',
  'delivery.on_the_way': 'on the way',
  'delivery.delivered': 'delivered',
}

/** The state after one more event. Unknown events change nothing. */
export function applyEvent(state: OrderState, { kind, at, event, lane }: TimelineEvent): OrderState {
  const { data, subject } = event
  switch (lane) {
    case 'order':
      return {
        ...withFacts(state, data),
        placedAt: kind === 'order.placed' ? at : state.placedAt,
        status: statuses[kind] ?? (reopening.has(kind) ? (textOf(data, 'to') ?? state.status) : state.status),
        isApproved: state.isApproved || kind === 'order.approved',
        isDeleted: (state.isDeleted || kind === 'order.deleted') && kind !== 'order.cancel_refused',
        total: numberOf(data, 'totalAmount') ?? state.total,
      }
    case 'delivery':
      return {
        ...withFacts(state, data),
        delivery: deliveries[kind] ?? state.delivery,
        deliveryId: subject,
        promised: promiseAfter(state, kind, data),
        arrival: arrivalAfter(state.arrival, kind, data),
      }
    case 'payment':
      return { ...state, payments: withPayment(state.payments, kind, subject, at, data) }
    case 'notification':
      return { ...state, notified: withNotification(state.notified, kind, subject, at, data) }
    default:
      return state
  }
}

/** The state after all of a history. */
export function stateAfter(history: TimelineEvent[]): OrderState {
  return history.reduce(applyEvent, initialState)
}

/** The customer's payments less refunds. */
export function paidOf({ payments }: OrderState): number {
  return sumOf(payments.filter(({ state }) => state !== 'declined').flatMap(({ amount, refunded }) => [amount, -refunded]))
}

/** The sum of amounts. */
function sumOf(amounts: number[]): number {
  return fromCents(amounts.reduce((sum, amount) => sum + cents(amount), 0))
}

/** The orders of a checkout, read from the events that placed them: their codes, and the price of all. */
export function checkoutOf(placed: EventView[]): { codes: string[]; total: number } {
  const orders = placed.map(({ event }) => readEvent(event).data)
  return {
    codes: orders.flatMap((data) => textOf(data, 'orderCode') ?? []).sort(),
    total: sumOf(orders.map((data) => numberOf(data, 'totalAmount') ?? 0)),
  }
}

function withFacts(state: OrderState, data: unknown): OrderState {
  const [lat, lng] = [numberOf(data, 'destLat'), numberOf(data, 'destLng')]
  return {
    ...state,
    code: textOf(data, 'orderCode') ?? state.code,
    checkoutId: textOf(data, 'checkoutId') ?? state.checkoutId,
    customerId: textOf(data, 'customerId') ?? state.customerId,
    ownerId: textOf(data, 'ownerId') ?? state.ownerId,
    restaurantId: textOf(data, 'restaurantId') ?? state.restaurantId,
    driverId: textOf(data, 'assignedDriver') ?? textOf(data, 'driverId') ?? state.driverId,
    promised: textOf(data, 'estimatedTime') ?? state.promised,
    destination: lat === undefined || lng === undefined ? state.destination : { lat, lng },
  }
}

/** A driver's first range is the promise; until it is known, it is the time of the confirmation. */
function promiseAfter(state: OrderState, kind: string, data: unknown): string | null {
  const reason = textOf(data, 'reason')
  const isFirst = kind === 'delivery.eta_changed' && (reason === 'assigned' || reason === 'reassigned')
  return (isFirst ? textOf(data, 'latest') : textOf(data, 'estimatedTime')) ?? state.promised
}

function arrivalAfter(before: OrderState['arrival'], kind: string, data: unknown): OrderState['arrival'] {
  if (kind === 'delivery.delivered' || kind === 'delivery.cancelled') return null
  const [earliest, latest] = [textOf(data, 'earliest'), textOf(data, 'latest')]
  return earliest === undefined || latest === undefined ? before : { earliest, latest }
}

function withPayment(payments: Payment[], kind: string, id: string, at: number, data: unknown): Payment[] {
  const [, state] = kind.split('.')
  if (state !== 'captured' && state !== 'declined' && state !== 'refunded') return payments
  const means = [textOf(data, 'cardBrand') ?? textOf(data, 'paymentType'), textOf(data, 'cardLast4')]
  const amount = numberOf(data, 'amount') ?? 0
  // Older refunds have no `refunded` and return the whole amount.
  const refunded = state === 'refunded' ? (numberOf(data, 'refunded') ?? amount) : 0
  const payment = { id, at, state, amount, refunded, means: means.filter(Boolean).join(' ') } as const
  return [...payments.filter((one) => one.id !== id), payment]
}

function withNotification(notified: NotificationSent[], kind: string, id: string, at: number, data: unknown): NotificationSent[] {
  if (kind === 'notification.created') {
    const one = { id, at, userId: textOf(data, 'userId') ?? '', topic: textOf(data, 'topic') ?? '', sendings: [] }
    return [...notified.filter((other) => other.id !== id), one]
  }
  if (kind !== 'notification.sent' && kind !== 'notification.failed') return notified
  const sending = { channel: textOf(data, 'channel') ?? '', at, isSent: kind === 'notification.sent' }
  return notified.map((one) =>
    one.id === id ? { ...one, sendings: [...one.sendings.filter(({ channel }) => channel !== sending.channel), sending] } : one,
  )
}

function numberOf(data: unknown, field: string): number | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const value: unknown = Reflect.get(data, field)
  return typeof value === 'number' ? value : undefined
}
