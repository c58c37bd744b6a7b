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
  /** The time at which the food is due at the door, in milliseconds since 1970. */
  due: number
}

export type Urgency = 'calm' | 'urgent' | 'late'

/** The tickets of orders, those that are due first at the front. */
export function ticketsOf(orders: Order[], deliveries: Pick<Delivery, 'orderId' | 'promisedTime'>[]): Ticket[] {
  const promises = new Map(deliveries.map(({ orderId, promisedTime }) => [orderId, promisedTime]))
  const tickets = new Map<string, Ticket>()
  for (const order of orders) {
    if (!isOwnerStatus(order.status)) continue
    const id = [order.checkoutId, order.restaurantId, order.status].join(' ')
    const promise = promises.get(order.orderId)
    const due = promise == null ? Date.parse(order.createdAt) + PROMISE : Date.parse(promise)
    const ticket = tickets.get(id)
    if (ticket === undefined) {
      tickets.set(id, { id, status: order.status, orders: [order], due })
    } else {
      ticket.orders.push(order)
      ticket.due = Math.min(ticket.due, due)
    }
  }
  return [...tickets.values()].sort((one, other) => one.due - other.due)
}

export function urgencyAt(ticket: Ticket, now: number): Urgency {
  if (ticket.status === 'delivered') return 'calm'
  if (now > ticket.due) return 'late'
  return now > ticket.due - URGENT ? 'urgent' : 'calm'
}

/** The codes of a ticket's orders. */
export function codesOf({ orders }: Ticket): string {
  return orders.map(({ orderId }) => orderId).join(', ')
}
