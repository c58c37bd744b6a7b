import { order } from '@test/platform'
import { expect, it } from 'vitest'

import { codesOf as codes } from '@/api/tickets'

import { isSameTicket, nextReminder, type Ticket, ticketsOf, urgencyAt } from './tickets'

const codesOf = ({ orders }: Ticket) => codes(orders)

const at = (time: string) => Date.parse(`2026-11-21T${time}:00Z`)

it('groups orders by checkout, restaurant and status', () => {
  const orders = [
    order({ _id: 'a', orderId: 'A' }),
    order({ _id: 'b', orderId: 'B' }),
    order({ _id: 'c', orderId: 'C', restaurantId: 'other' }),
    order({ _id: 'd', orderId: 'D', checkoutId: 'other' }),
    order({ _id: 'e', orderId: 'E', status: 'preparing' }),
    order({ _id: 'f', orderId: 'F', status: 'cancelled' }),
  ]
  expect(ticketsOf(orders, []).map(codesOf)).toEqual(['A, B', 'C', 'D', 'E'])
})

it('is another ticket once an order of it changes, joins it, or is promised for another time', () => {
  const [a, b] = [order({ _id: 'a', orderId: 'A' }), order({ _id: 'b', orderId: 'B' })]
  const ticketOf = (...found: Parameters<typeof ticketsOf>) => {
    const [ticket] = ticketsOf(...found)
    if (ticket === undefined) throw new Error('a ticket')
    return ticket
  }
  const before = ticketOf([a, b], [])
  expect(isSameTicket(before, ticketOf([a, b], []))).toBe(true)
  expect(isSameTicket(before, ticketOf([a, { ...b, isPaid: !b.isPaid }], []))).toBe(false)
  expect(isSameTicket(before, ticketOf([a], []))).toBe(false)
  expect(isSameTicket(before, ticketOf([a, b], [{ orderId: 'A', promisedTime: '2026-11-21T09:00:00Z' }]))).toBe(false)
})

it('puts the ticket that is due first at the front: by its delivery, or half an hour after the order', () => {
  const orders = [
    order({ _id: 'a', orderId: 'A', checkoutId: 'c1', createdAt: '2026-11-21T10:00:00Z' }),
    order({ _id: 'b', orderId: 'B', checkoutId: 'c2', createdAt: '2026-11-21T10:10:00Z' }),
  ]
  expect(ticketsOf(orders, []).map(({ due }) => due)).toEqual([at('10:30'), at('10:40')])
  const deliveries = [{ orderId: 'A', promisedTime: '2026-11-21T11:00:00Z' }, { orderId: 'B', promisedTime: null }]
  expect(ticketsOf(orders, deliveries).map(codesOf)).toEqual(['B', 'A'])
})

it('is urgent ten minutes before its promise, and late after it until the food is delivered', () => {
  const [ticket] = ticketsOf([order({ createdAt: '2026-11-21T10:00:00Z' })], [])
  if (ticket === undefined) throw new Error('a ticket')
  expect(['10:19', '10:21', '10:31'].map((time) => urgencyAt(ticket, at(time)))).toEqual(['calm', 'urgent', 'late'])
  expect(urgencyAt({ ...ticket, status: 'delivered' }, at('11:00'))).toBe('calm')
})

const waiting = (orderId: string, placed: string, answerBy: string | null) =>
  order({ _id: orderId, orderId, checkoutId: orderId, createdAt: `2026-11-21T${placed}:00Z`, answerBy: answerBy && `2026-11-21T${answerBy}:00Z` })

it('is due at the deadline for an answer, urgent after half of the time and late after it', () => {
  const orders = [waiting('A', '10:00', '10:20'), waiting('B', '10:05', '10:15'), waiting('C', '09:50', null)]
  const tickets = ticketsOf(orders, [])
  expect(tickets.map(codesOf)).toEqual(['B', 'A', 'C'])
  const [ticket] = tickets
  if (ticket === undefined) throw new Error('a ticket')
  expect(['10:10', '10:11', '10:16'].map((time) => urgencyAt(ticket, at(time)))).toEqual(['calm', 'urgent', 'late'])
})

it('reminds after half and three quarters of the time, of all that wait so long', () => {
  const orders = [waiting('A', '10:00', '10:20'), waiting('B', '10:06', '10:14'), waiting('C', '10:00', null)]
  expect(nextReminder(orders, at('10:00'))).toEqual({ at: at('10:10'), count: 2 })
  expect(nextReminder(orders, at('10:10'))).toEqual({ at: at('10:12'), count: 2 })
  expect(nextReminder(orders, at('10:12'))).toEqual({ at: at('10:15'), count: 2 })
  expect(nextReminder(orders, at('10:15'))).toBeNull()
})
