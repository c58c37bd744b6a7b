import { delivery } from '@test/platform'
import { expect, it } from 'vitest'

import { byStep, byTicket, codesOf, dishesOf, leadOf, shortCode } from './tickets'

const first = delivery({ _id: 'v1', ticketId: 'v1', orderId: 'ORD-1', status: 'delivered' })
const second = delivery({ _id: 'v2', ticketId: 'v1', orderId: 'ORD-2', status: 'on the way', orderName: 'Hoppers', qty: 4 })
const third = delivery({ _id: 'v3', ticketId: 'v1', orderId: 'ORD-3', status: 'on the way' })
const other = delivery({ _id: 'v4', ticketId: 'v4', orderId: 'ORD-4', status: 'on the way' })

it('puts the deliveries of a ticket together, the first one first', () => {
  // Lists have the newest in front.
  expect(byTicket([other, third, second, first]).map(codesOf)).toEqual(['ORD-4', 'ORD-1, ORD-2, ORD-3'])
})

it('takes the next step with those that have the same status', () => {
  expect(byStep([other, third, second, first]).map(codesOf)).toEqual(['ORD-4', 'ORD-2, ORD-3', 'ORD-1'])
})

it('has the status of the delivery that is the furthest behind', () => {
  expect(leadOf([first, second, third])).toBe(second)
  expect(leadOf([first])).toBe(first)
})

it('names the others by their number, and all dishes', () => {
  expect(shortCode([first, second, third])).toBe('ORD-1 +2')
  expect(shortCode([first])).toBe('ORD-1')
  expect(dishesOf([second, third])).toBe('4 × Hoppers, 2 × Chicken Kottu')
})
