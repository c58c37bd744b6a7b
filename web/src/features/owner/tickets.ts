import type { Delivery, Order } from '@/api/generated/types.gen'

import { isOwnerStatus, type OwnerStatus } from './status'

/** Milliseconds from an order to its promise, until a delivery says when the food is to arrive. */
const PROMISE = 30 * 60_000
/** Milliseconds before a promise from which a ticket is urgent. */
const URGENT = 10 * 60_000

/** The orders of one checkout from one restaurant that have the same status: one customer's trip. */
export interface Ticket {
  id: string
  status: OwnerStatus
  /** In the order in which the service lists them; at least one. */
  orders: [Order, ...Order[]]
  /** The time at which an answer is due, then the food at the door, in milliseconds since 1970. */
  due: number
  /** True while the orders wait for an answer by then. */
  isUnanswered: boolean
}

export type Urgency = 'calm' | 'urgent' | 'late'

/** The tickets of orders, those that are due first at the front. */
export function ticketsOf(orders: Order[], deliveries: Pick<Delivery, 'orderId' | 'promisedTime'>[]): Ticket[] {
  const promises = new Map(deliveries.map(({ orderId, promisedTime }) => [orderId, promisedTime]))
  const tickets = new Map<string, Ticket>()
  for (const order of orders) {
    if (!isOwnerStatus(order.status)) continue
    const id = [order.checkoutId, order.restaurantId, order.status].join(' ')
    const promise = promises.get(order.orderId) ?? order.answerBy
    const due = promise == null ? Date.parse(order.createdAt) + PROMISE : Date.parse(promise)
    const isUnanswered = order.answerBy != null
    const ticket = tickets.get(id)
    if (ticket === undefined) {
      tickets.set(id, { id, status: order.status, orders: [order], due, isUnanswered })
    } else {
      ticket.orders.push(order)
      ticket.due = Math.min(ticket.due, due)
      ticket.isUnanswered ||= isUnanswered
    }
  }
  return [...tickets.values()].sort((one, other) => one.due - other.due)
}

/** True if two tickets have the same orders, with nothing changed, and are due at the same time. */
export function isSameTicket(one: Ticket, other: Ticket): boolean {
  return (
    one.id === other.id &&
    one.due === other.due &&
    one.isUnanswered === other.isUnanswered &&
    one.orders.length === other.orders.length &&
    one.orders.every((order, nth) => order === other.orders[nth])
  )
}

/** The moment at which a part of the time for an answer has passed; never, of an order without a deadline. */
function reminderOf({ createdAt, answerBy }: Order, part: number): number {
  if (answerBy == null) return Number.POSITIVE_INFINITY
  const placed = Date.parse(createdAt)
  return placed + (Date.parse(answerBy) - placed) * part
}

/** The next moment after `now` at which a sound reminds of an order that waits, with the number of those that do then. */
export function nextReminder(orders: Order[], now: number): { at: number; count: number } | null {
  const moments = orders.flatMap((order) => [0.5, 0.75].map((part) => reminderOf(order, part)))
  const at = Math.min(...moments.filter((moment) => moment > now))
  if (!Number.isFinite(at)) return null
  return { at, count: orders.filter((order) => reminderOf(order, 0.5) <= at).length }
}

/** True from its confirmation until its food is at the door. */
export function isPromised({ status }: Ticket): boolean {
  return status !== 'pending' && status !== 'delivered'
}

export function urgencyAt(ticket: Ticket, now: number): Urgency {
  if (ticket.status === 'delivered') return 'calm'
  if (now > ticket.due) return 'late'
  if (ticket.isUnanswered) return now > reminderOf(ticket.orders[0], 0.5) ? 'urgent' : 'calm'
  return now > ticket.due - URGENT ? 'urgent' : 'calm'
}

/** An order with those among the shown ones that take its next step with it. */
export function ticketOf(order: Order, shown: Order[]): [Order, ...Order[]] {
  const others = shown.filter(
    ({ _id, checkoutId, restaurantId, status }) =>
      _id !== order._id && checkoutId === order.checkoutId && restaurantId === order.restaurantId && status === order.status,
  )
  return [order, ...others]
}
