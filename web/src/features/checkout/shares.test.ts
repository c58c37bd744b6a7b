import { order, payment } from '@test/platform'
import { describe, expect, it } from 'vitest'

import { duesOf, split } from './shares'

describe('the shares of a checkout', () => {
  it.each([
    [100, 3, [33.33, 33.33, 33.34]],
    [200, 3, [66.67, 66.67, 66.66]],
    [701, 1, [701]],
    [0.02, 4, [0.01, 0.01, 0, 0]],
    [0, 2, [0, 0]],
  ])('%d in %d parts', (total, count, parts) => {
    expect(split(total, count)).toEqual(parts)
  })

  const first = order({ _id: 'x1', orderId: 'ORD-1', totalAmount: 50 })
  const second = order({ _id: 'x2', orderId: 'ORD-2', totalAmount: 30 })
  const third = order({ _id: 'x3', orderId: 'ORD-3', totalAmount: 20.01 })
  const amounts = (...args: Parameters<typeof duesOf>) => duesOf(...args).map((due) => [due.order.orderId, due.amount])

  it('go by the order of the ids, the last taking the remainder', () => {
    expect(amounts([third, first, second], [])).toEqual([
      ['ORD-1', 33.34],
      ['ORD-2', 33.34],
      ['ORD-3', 33.33],
    ])
  })

  it('leave out what is called off', () => {
    const orders = [first, { ...second, status: 'cancelled' as const }, third]
    expect(amounts(orders, [])).toEqual([
      ['ORD-1', 35.01],
      ['ORD-3', 35],
    ])
  })

  it('stay as the first payment fixed them', () => {
    const orders = [first, { ...second, status: 'cancelled' as const }, third]
    const paid = payment({ bookingId: 'ORD-1', amount: 33.34 })
    expect(amounts(orders, [paid])).toEqual([
      ['ORD-1', 33.34],
      ['ORD-3', 33.33],
    ])
  })

  it('are still due after a refusal', () => {
    const refused = payment({ bookingId: 'ORD-1', amount: 33.34, status: 'declined' })
    expect(duesOf([first, second, third], [refused]).every((due) => due.payment === undefined)).toBe(true)
  })
})
