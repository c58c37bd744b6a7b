import { expect, it } from 'vitest'

import type { EventView } from '@/api/generated/types.gen'

import { operationsOf } from './operations'

function event(seq: number, name: string, id: string, data: Record<string, unknown> = {}): EventView {
  return {
    stream: 'OPERATIONS',
    seq,
    subject: `tiffin.operation.${id}.${name}`,
    event: { type: `tiffin.operation.${name}.v1`, subject: id, actor: 'u1', time: '2026-11-21T10:00:00Z', data },
  }
}

it('puts each beginning together with its end', () => {
  const begun = { verb: 'replay', target: 'delivery_ORDERS', reason: 'a lost day' }
  const operations = operationsOf([
    event(5, 'failed', 'o1', { error: 'delivery_ORDERS is busy.' }),
    event(4, 'done', 'o2'),
    event(3, 'begun', 'o2', { verb: 'reveal', target: 'ORDERS/1', reason: 'a complaint' }),
    event(2, 'unheard-of', 'o1'),
    event(1, 'begun', 'o1', begun),
  ])
  expect(operations.map(({ seq, verb, ending, error }) => [seq, verb, ending, error])).toEqual([
    [3, 'reveal', 'done', null],
    [1, 'replay', 'failed', 'delivery_ORDERS is busy.'],
  ])
  expect(operationsOf([event(1, 'begun', 'o1', begun)])).toMatchObject([{ ending: null, error: null }])
  expect(operations[1]).toMatchObject({ ...begun, actor: 'u1', stream: 'OPERATIONS' })
})
