import { describe, expect, it } from 'vitest'

import { Problem } from '@/api/problem'

import { faultsOf, fieldOf, newReplay, requestOf, type ReplayDraft } from './replay-request'

function wanted(over: Partial<ReplayDraft> = {}): ReplayDraft {
  return { ...newReplay('ORDERS', 'delivery_ORDERS'), reason: 'a lost day', ...over }
}

const sequence = (value: string) => ({ kind: 'sequence', value }) as const
const time = (value: string) => ({ kind: 'time', value }) as const

describe('what is filled in', () => {
  it.each<[string, Partial<ReplayDraft>, string[]]>([
    ['is whole', {}, []],
    ['needs a stream, a consumer and a reason', { stream: '', consumer: '', reason: '  ' }, ['stream', 'consumer', 'reason']],
    ['has sequences from 1', { from: sequence('0'), to: sequence('x') }, ['from', 'to']],
    ['has no window backwards', { from: sequence('9'), to: sequence('3') }, ['to']],
    ['nor one in time', { from: time('2026-11-21T10:00:00Z'), to: time('2026-11-21T09:00:00Z') }, ['to']],
    ['may have a sequence and a time', { from: sequence('9'), to: time('2026-11-21T09:00:00Z') }, []],
    ['has moments that are some', { from: time(''), to: time('soon') }, ['from', 'to']],
    ['has a rate that is one', { rate: '-5' }, ['rate']],
  ])('%s', (_, over, fields) => {
    expect(Object.keys(faultsOf(wanted(over), false))).toEqual(fields)
  })

  it('needs no reason for a dry run', () => {
    expect(faultsOf(wanted({ reason: '' }), true)).toEqual({})
  })
})

describe('what the service is asked', () => {
  it('says nothing about what is left as it is', () => {
    expect(requestOf(wanted(), { dryRun: true })).toEqual({
      stream: 'ORDERS',
      target: { consumer: 'delivery_ORDERS' },
      from: null,
      to: null,
      filter: null,
      rate: null,
      reason: 'a lost day',
      dryRun: true,
    })
  })

  it('has sequences as numbers and moments as texts', () => {
    const asked = requestOf(
      wanted({ from: sequence('12'), to: time('2026-11-21T09:00:00Z'), filter: ' tiffin.order.*.placed ', rate: '50' }),
      { confirm: 1204 },
    )
    expect(asked).toMatchObject({ from: 12, to: '2026-11-21T09:00:00Z', filter: 'tiffin.order.*.placed', rate: 50, confirm: 1204 })
  })
})

describe('a refusal is shown at its field', () => {
  it.each<[number, Record<string, unknown>, Partial<ReplayDraft>, string | null]>([
    [422, { message: 'The window ends before it begins.', fields: { to: 'The window ends before it begins.' } }, {}, 'to'],
    [422, { message: 'Give a reason of 1 to 500 characters.', fields: { reason: 'Give a reason of 1 to 500 characters.' } }, {}, 'reason'],
    [404, { code: 'operator.stream-not-found', message: 'There is no stream ORDER.' }, { stream: 'ORDER' }, 'stream'],
    [404, { code: 'operator.consumer-not-found', message: 'There is no consumer unknown_ORDERS.' }, { consumer: 'unknown_ORDERS' }, 'consumer'],
    [409, { message: 'something is under way for delivery_ORDERS already' }, {}, 'consumer'],
    [422, { code: 'operator.consumer-reads-other', message: 'delivery_ORDERS does not read USERS: choose the stream that it is named after.' }, { stream: 'USERS' }, 'consumer'],
    [422, { code: 'operator.unconfirmed', message: '1204 events match. Type 1204 to confirm.', matched: 1204 }, {}, 'confirm'],
    [422, { message: 'No event matches: widen the window or the filter.' }, { filter: 'tiffin.order.*.lost' }, 'filter'],
    [422, { message: 'No event matches: widen the window or the filter.' }, {}, 'to'],
    [503, { message: 'The delivery service does not answer: try again once it runs.' }, {}, null],
  ])('%s %o', (status, body, over, field) => {
    expect(fieldOf(new Problem(status, { status, ...body }), wanted(over))).toBe(field)
  })
})
