import { BEGIN, delivered, Writer } from '@test/history'
import { describe, expect, it } from 'vitest'

import { countUpTo, readHistory } from './history'
import { applyEvent, initialState, paidOf, stateAfter } from './state'

const history = readHistory(delivered())

function stateAt(millisecond: number) {
  return stateAfter(history.slice(0, countUpTo(history, BEGIN + millisecond, 'at')))
}

describe('at a moment', () => {
  it('an order has come as far as its events', () => {
    const status = (at: number) => [stateAt(at).status, stateAt(at).delivery]
    expect(status(-1)).toEqual([null, null])
    expect(status(0)).toEqual(['pending', null])
    expect(status(60_000)).toEqual(['confirmed', null])
    expect(status(60_012)).toEqual(['confirmed', 'picked up'])
    expect(status(180_010)).toEqual(['confirmed', 'on the way'])
    expect(status(200_000)).toEqual(['dispatched', 'on the way'])
    expect(status(300_000)).toEqual(['delivered', 'delivered'])
  })

  it('the customer has paid and been notified of what was by then', () => {
    const toCustomer = (at: number) => stateAt(at).notified.filter(({ userId }) => userId === stateAt(at).customerId)
    expect(paidOf(stateAt(29_999))).toBe(0)
    expect(paidOf(stateAt(30_000))).toBe(2501)
    expect(stateAt(30_000).payments).toMatchObject([{ means: 'Visa 4242', state: 'captured' }])
    expect(toCustomer(60_020)).toEqual([])
    expect(toCustomer(60_500)).toMatchObject([{ topic: 'order_confirmed', sendings: [] }])
    expect(toCustomer(61_000)).toMatchObject([{ sendings: [{ channel: 'mail', isSent: true }] }])
  })

  it('the expected arrival is the last one shown, until the delivery ends', () => {
    const writer = new Writer()
    const range = (earliest: string, latest: string) => ({ earliest, latest })
    const arrival = () => stateAfter(readHistory(writer.views)).arrival
    writer.write('delivery.created', 0)
    expect(arrival()).toBeNull()
    writer.write('delivery.eta_changed', 1, range('2026-11-21T09:20:00Z', '2026-11-21T09:31:00Z'))
    writer.write('delivery.eta_changed', 2, range('2026-11-21T09:25:00Z', '2026-11-21T09:33:00Z'))
    writer.write('delivery.on_the_way', 3)
    expect(arrival()).toEqual(range('2026-11-21T09:25:00Z', '2026-11-21T09:33:00Z'))
    writer.write('delivery.delivered', 4)
    expect(arrival()).toBeNull()
  })

  it('a refund takes back what was paid, and a refused card pays nothing', () => {
    const writer = new Writer()
    writer.write('payment.declined', 0, { amount: 10.1, reason: 'card_declined' }, { subject: 'p1' })
    writer.write('payment.captured', 1, { amount: 10.1, paymentType: 'PayPal' }, { subject: 'p2' })
    writer.write('payment.captured', 2, { amount: 20.2 }, { subject: 'p3' })
    expect(paidOf(stateAfter(readHistory(writer.views)))).toBe(30.3)
    writer.write('payment.refunded', 3, { amount: 10.1 }, { subject: 'p2' })
    expect(paidOf(stateAfter(readHistory(writer.views)))).toBe(20.2)
    writer.write('payment.refunded', 4, { amount: 20.2, refunded: 5.1 }, { subject: 'p3' })
    expect(paidOf(stateAfter(readHistory(writer.views)))).toBe(15.1)
    writer.write('payment.refunded', 5, { amount: 20.2, refunded: 20.2 }, { subject: 'p3' })
    expect(paidOf(stateAfter(readHistory(writer.views)))).toBe(0)
  })
})

/** Numbers that look random and are the same in every run. */
function dice(seed: number) {
  let state = seed
  return (sides: number) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) % sides
  }
}

const STATUSES = ['pending', 'confirmed', 'preparing', 'dispatched', 'delivered']

interface Kept {
  status: string
  isApproved: boolean
  delivery: string | null
  notified: number
  mailed: number
}

/** The services' view of an order, changed at random; each change is written as its event. */
function lived(seed: number) {
  const roll = dice(seed)
  const writer = new Writer()
  const order: Kept = { status: 'pending', isApproved: false, delivery: null, notified: 0, mailed: 0 }
  const payments = new Map<string, number>()
  const present: (Kept & { paid: number })[] = []
  let at = 0
  const write = (kind: string, data: Record<string, unknown> = {}, subject?: string) => {
    at += 1 + roll(90_000)
    writer.write(kind, at, data, subject === undefined ? {} : { subject })
    const paid = [...payments.values()].reduce((sum, cents) => sum + cents, 0) / 100
    present.push({ ...order, paid })
  }
  write('order.placed', { totalAmount: 500 })
  for (let step = 0; step < 60; step += 1) {
    const chance = roll(9)
    if (chance < 3 && order.status !== 'cancelled') {
      const to = STATUSES[roll(STATUSES.length)] ?? 'pending'
      const isBack = STATUSES.indexOf(to) <= STATUSES.indexOf(order.status)
      order.status = to
      write(isBack ? 'order.reopened' : `order.${to}`, isBack ? { to } : {})
    } else if (chance === 3) {
      order.isApproved = true
      write('order.approved')
    } else if (chance === 4) {
      order.delivery = ['picked up', 'on the way', 'delivered'][roll(3)] ?? null
      write(`delivery.${(order.delivery ?? '').replaceAll(' ', '_')}`)
    } else if (chance === 5) {
      const cents = roll(100_000)
      payments.set(`p${String(step)}`, cents)
      write('payment.captured', { amount: cents / 100 }, `p${String(step)}`)
    } else if (chance === 6 && payments.size > 0) {
      const id = [...payments.keys()][roll(payments.size)] ?? ''
      payments.delete(id)
      write('payment.refunded', { amount: 1 }, id)
    } else if (chance === 7) {
      order.notified += 1
      write('notification.created', { userId: 'u' }, `n${String(order.notified)}`)
    } else if (chance === 8 && order.mailed < order.notified) {
      order.mailed += 1
      write('notification.sent', { channel: 'mail' }, `n${String(order.mailed)}`)
    } else if (roll(25) === 0 && order.status !== 'cancelled') {
      order.status = 'cancelled'
      write('order.cancelled')
    } else {
      writer.position((at += 1), 6.9)
      present.push({ ...(present.at(-1) ?? { ...order, paid: 0 }) })
    }
  }
  return { views: writer.views, present }
}

describe('folding', () => {
  const seeds = Array.from({ length: 40 }, (_, seed) => seed * 7919 + 1)

  it.each(seeds)('up to any event gives what the services had then, up to the last what they have (%i)', (seed) => {
    const { views, present } = lived(seed)
    const history = readHistory(views)
    expect(history).toHaveLength(present.length)
    present.forEach((then, index) => {
      const state = stateAfter(history.slice(0, index + 1))
      expect({
        status: state.status,
        isApproved: state.isApproved,
        delivery: state.delivery,
        paid: paidOf(state),
        notified: state.notified.length,
        mailed: state.notified.filter(({ sendings }) => sendings.some(({ isSent }) => isSent)).length,
      }).toEqual({
        status: then.status,
        isApproved: then.isApproved,
        delivery: then.delivery,
        paid: then.paid,
        notified: then.notified,
        mailed: then.mailed,
      })
    })
  })

  it('folds from any moment as from the start, and mutates nothing', () => {
    for (let index = 0; index < history.length; index += 1) {
      const before = stateAfter(history.slice(0, index))
      const kept = structuredClone(before)
      expect(history.slice(index).reduce(applyEvent, before)).toEqual(stateAfter(history))
      expect(before).toEqual(kept)
    }
    expect(stateAfter([])).toBe(initialState)
  })

  it('takes an event that comes twice as one', () => {
    for (const one of history) expect(applyEvent(applyEvent(initialState, one), one)).toEqual(applyEvent(initialState, one))
  })
})
