import { order, payment } from '@test/platform'
import { describe, expect, it } from 'vitest'

import type { Order, Payment } from '@/api/generated/types.gen'

import { balanceOf, splitEvenly } from './shares'

const cancelled = (one: Order): Order => ({ ...one, status: 'cancelled' })
const paid = (one: Order, amount: number, over: Partial<Payment> = {}) =>
  payment({ _id: `${one._id}-${String(amount)}`, bookingId: one.orderId, amount, ...over })
const shares = (orders: Order[], payments: Payment[] = []) =>
  balanceOf(orders, payments).dues.map((due) => [due.order.orderId, due.share])

describe('the shares of a checkout', () => {
  it.each([
    [100, 3, [33.33, 33.33, 33.34]],
    [200, 3, [66.67, 66.67, 66.66]],
    [701, 1, [701]],
    [0.02, 4, [0.01, 0.01, 0, 0]],
    [0, 2, [0, 0]],
  ])('%d in %d parts', (total, count, parts) => {
    expect(splitEvenly(total, count)).toEqual(parts)
  })

  const first = order({ _id: 'x1', orderId: 'ORD-1', totalAmount: 50 })
  const second = order({ _id: 'x2', orderId: 'ORD-2', totalAmount: 30 })
  const third = order({ _id: 'x3', orderId: 'ORD-3', totalAmount: 20.01 })

  it('go by the order of the ids, the last taking the remainder', () => {
    expect(shares([third, first, second])).toEqual([
      ['ORD-1', 33.34],
      ['ORD-2', 33.34],
      ['ORD-3', 33.33],
    ])
  })

  it('ask for nothing that people refunded', () => {
    const refunded = { ...second, refunds: [{ amount: 10, reason: 'late' as const, by: 'restaurant' as const, isMade: false, createdAt: '2026-11-21T11:00:00Z' }] }
    const payments = [paid(first, 40), paid(refunded, 40, { refunded: 10 })]
    expect(balanceOf([first, refunded], payments)).toMatchObject({ cost: 70, paid: 70, left: 0, refunded: 10 })
  })

  it('leave out what is called off', () => {
    expect(shares([first, cancelled(second), third])).toEqual([
      ['ORD-1', 35.01],
      ['ORD-3', 35],
    ])
  })

  it('stay what they were once some are paid', () => {
    expect(shares([first, second, third], [paid(first, 33.34)])).toEqual([
      ['ORD-1', null],
      ['ORD-2', 33.34],
      ['ORD-3', 33.33],
    ])
  })

  it('are the rest, split again, after an order is cancelled', () => {
    expect(shares([first, cancelled(second), third], [paid(first, 33.34)])).toEqual([
      ['ORD-1', null],
      ['ORD-3', 36.67],
    ])
  })

  it('are still due after a refusal', () => {
    const refused = paid(first, 33.34, { status: 'declined' })
    expect(balanceOf([first, second, third], [refused])).toMatchObject({ left: 100.01, paid: 0 })
  })

  it('wait for a payment that is under way', () => {
    const waiting = paid(first, 33.34, { status: 'pending' })
    const balance = balanceOf([first, second, third], [waiting])
    expect(balance).toMatchObject({ left: 66.67, isPending: true })
    expect(balance.dues[0]?.share).toBeNull()
  })
})

describe('the balance of a checkout', () => {
  const dear = order({ _id: 'x0', orderId: 'ORD-0', totalAmount: 970_200 })
  const cheap = Array.from({ length: 49 }, (_, n) =>
    order({ _id: `y${String(n).padStart(2, '0')}`, orderId: `CHEAP-${String(n)}`, totalAmount: n === 0 ? 778 : 779 }),
  )

  it('asks for what is left of a dear order once the cheap ones are called off', () => {
    expect(shares([dear, ...cheap])[0]).toEqual(['ORD-0', 20_167.4])
    const share = paid(dear, 20_167.4)
    const balance = balanceOf([dear, ...cheap.map(cancelled)], [share])
    expect(balance).toMatchObject({ cost: 970_200, paid: 20_167.4, left: 950_032.6 })
    expect(balance.dues).toEqual([{ order: dear, share: 950_032.6, payments: [share] }])
    expect(balanceOf([dear], [share, paid(dear, 950_032.6)])).toMatchObject({ left: 0, paid: 970_200 })
  })

  const one = order({ _id: 'x1', orderId: 'ORD-1', totalAmount: 100 })
  const other = order({ _id: 'x2', orderId: 'ORD-2', totalAmount: 10 })

  it('needs nothing of an order that others were paid for, and counts no money that goes back', () => {
    const kept = paid(one, 55, { refunded: 45, status: 'refunding' })
    expect(balanceOf([cancelled(one), other], [kept])).toMatchObject({ left: 0, paid: 10, refunded: 45, isRefunding: true })
  })

  it('counts the payment of an order that is on no list any more', () => {
    expect(balanceOf([other], [paid(one, 55, { refunded: 45 })])).toMatchObject({ left: 0 })
    expect(balanceOf([other], [paid(one, 55, { checkoutId: 'another' })])).toMatchObject({ left: 10 })
  })

  it('is split over all again once each has paid', () => {
    const orders = [one, { ...other, totalAmount: 100 }]
    const payments = [paid(one, 50.5), paid(other, 50.5)]
    expect(shares(orders, payments)).toEqual([
      ['ORD-1', 49.5],
      ['ORD-2', 49.5],
    ])
    expect(shares(orders, [...payments, paid(one, 49.5)])).toEqual([
      ['ORD-1', null],
      ['ORD-2', 49.5],
    ])
  })
})
