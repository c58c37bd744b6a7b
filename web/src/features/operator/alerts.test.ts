import { expect, it } from 'vitest'

import type { ConsumerView, ServiceView, Standing } from '@/api/generated/types.gen'

import { alertsOf } from './alerts'

const NOW = Date.parse('2026-11-26T12:00:00Z')
const inDays = (days: number) => new Date(NOW + days * 86_400_000).toISOString()

function standing(consumer: Partial<ConsumerView>, service: Partial<ServiceView>, deadLetters = 0): Standing {
  const quiet = { name: 'order_DRIVERS', pending: 0, inFlight: 0, redelivered: 0, lagSeconds: 0, blocked: 0, parked: 0, tables: [], takesReplays: true }
  const stream = {
    ...{ name: 'DRIVERS', subjects: [], messages: 0, bytes: 0, maxBytes: 1, firstSeq: 0, lastSeq: 0 },
    consumers: [{ ...quiet, ...consumer }],
  }
  return { streams: [stream], services: [{ name: 'order', isThere: true, outboxWaiting: 0, outboxLagSeconds: 0, ...service }], deadLetters }
}

const texts = (alerts: ReturnType<typeof alertsOf>) => alerts.map(({ text, values, isUrgent }) => ({ text, values, isUrgent }))

it('is empty while all is well', () => {
  expect(alertsOf(standing({ lagSeconds: 59 }, { outboxLagSeconds: 59 }), undefined, NOW)).toEqual([])
})

it('has the urgent alerts first', () => {
  const shown = alertsOf(standing({ lagSeconds: 120, blocked: 7 }, { outboxLagSeconds: 60 }, 2), undefined, NOW)
  expect(texts(shown)).toEqual([
    { text: 'operator.alertBlocked', values: { name: 'order_DRIVERS', count: 7 }, isUrgent: true },
    { text: 'operator.alertOutboxLags', values: { name: 'order', time: '1m' }, isUrgent: false },
    { text: 'operator.alertConsumerLags', values: { name: 'order_DRIVERS', time: '2m' }, isUrgent: false },
    { text: 'operator.alertDeadLetters', values: { count: 2 }, isUrgent: false },
  ])
})

it('names a service that is away and says no more of its outbox', () => {
  const shown = alertsOf(standing({}, { isThere: false, outboxLagSeconds: 99 }), undefined, NOW)
  expect(texts(shown)).toEqual([{ text: 'operator.alertServiceAway', values: { name: 'order' }, isUrgent: true }])
})

it('says what fills up: two days before at once, two weeks before as a warning', () => {
  const stream = (name: string, percent: number, fullAt: string | null) => ({ name, percent, fullAt, messages: 1, bytes: 1, refuses: true })
  const streams = [stream('ORDERS', 81, inDays(1.5)), stream('DRIVERS', 85, null), stream('USERS', 10, inDays(13)), stream('PAYMENTS', 10, inDays(15))]
  const capacity = { streams, broker: { bytes: 1, percent: 5, fullAt: inDays(10) } }
  expect(texts(alertsOf(standing({}, {}), capacity, NOW))).toEqual([
    { text: 'operator.alertStreamFillsUp', values: { name: 'ORDERS', count: 1 }, isUrgent: true },
    { text: 'operator.alertBrokerFillsUp', values: { name: '', count: 10 }, isUrgent: false },
    { text: 'operator.alertStreamFillsUp', values: { name: 'USERS', count: 13 }, isUrgent: false },
    { text: 'operator.alertNearlyFull', values: { name: 'DRIVERS', percent: 85 }, isUrgent: false },
  ])
})
