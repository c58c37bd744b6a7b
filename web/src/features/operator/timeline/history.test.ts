import { BEGIN, delivered, Writer } from '@test/history'
import { expect, it } from 'vitest'

import { chainOf, countUpTo, lanesOf, readHistory } from './history'

const history = readHistory(delivered())

function named(kind: string, nth = 0) {
  const found = history.filter((one) => one.kind === kind)[nth]
  if (found === undefined) throw new Error(`no ${kind}`)
  return found
}

it('has a lane for every service, in the order of the trade', () => {
  expect(lanesOf(history)).toEqual(['order', 'payment', 'delivery', 'position', 'notification'])
})

it('computes the latency from each cause', () => {
  expect(named('delivery.created').latency).toBe(12)
  expect(named('order.delivered').latency).toBe(9)
  expect(named('order.placed').latency).toBeNull()
  expect(named('notification.sent')).toMatchObject({ cause: named('order.confirmed').id, latency: 1_000 })
})

it('gives a notification without a cause no cause', () => {
  const writer = new Writer()
  const made = writer.write('notification.created', 0, {}, { subject: 'n1' })
  writer.write('notification.sent', 400, {}, { subject: 'n1' })
  expect(readHistory(writer.views)[1]).toMatchObject({ cause: made, latency: 400 })
})

it('keeps what is finer than a millisecond', () => {
  const writer = new Writer()
  writer.write('order.placed', 0)
  const [view] = writer.views
  if (view === undefined) throw new Error('no event')
  const [read] = readHistory([{ ...view, event: { ...view.event, time: '2026-11-21T10:00:00.123456Z' } }])
  expect(read?.at).toBeCloseTo(BEGIN + 123.456, 3)
})

it('puts an effect after its cause, also of one moment', () => {
  const writer = new Writer()
  const cause = 'e3'
  writer.write('notification.created', 0, {}, { cause: 'e2', subject: 'n1' })
  writer.write('delivery.created', 0, {}, { cause })
  writer.write('order.confirmed', 0)
  writer.write('notification.sent', 0, {}, { subject: 'n1' })
  expect(readHistory(writer.views).map(({ kind }) => kind)).toEqual([
    'order.confirmed',
    'delivery.created',
    'notification.created',
    'notification.sent',
  ])
})

it('is the same for any order of the input', () => {
  const ids = history.map(({ id }) => id)
  expect(readHistory(delivered().reverse()).map(({ id }) => id)).toEqual(ids)
})

it('puts a position where it was measured, and never after it came', () => {
  const writer = new Writer()
  writer.write('position.updated', 9_000, { lat: 6.9, lng: 79.8, at: new Date(BEGIN + 4_000).toISOString() })
  writer.write('position.updated', 10_000, { lat: 6.9, lng: 79.8, at: new Date(BEGIN + 50_000).toISOString() })
  expect(readHistory(writer.views).map(({ at }) => at - BEGIN)).toEqual([4_000, 10_000])
})

it('follows a chain both ways', () => {
  const chain = chainOf(history, named('delivery.created').id)
  const kinds = history.filter(({ id }) => chain.has(id)).map(({ kind }) => kind)
  expect(kinds).toEqual(['order.confirmed', 'delivery.created', 'notification.created'])
  expect(chainOf(history, named('payment.captured').id).size).toBe(1)
})

it('survives events that are none, and circles of causes', () => {
  const writer = new Writer()
  writer.write('order.placed', 0, {}, { cause: 'e2' })
  writer.write('order.approved', 1, {}, { cause: 'e1' })
  const read = readHistory([...writer.views, { stream: 'ORDERS', seq: 9, subject: 'x', event: {} }])
  expect(read).toHaveLength(3)
  expect(chainOf(read, 'e1')).toEqual(new Set(['e1', 'e2']))
})

it('counts what has happened', () => {
  expect(countUpTo(history, BEGIN - 1, 'at')).toBe(0)
  expect(countUpTo(history, BEGIN, 'at')).toBe(1)
  expect(countUpTo(history, Number.POSITIVE_INFINITY, 'at')).toBe(history.length)
})
