import { expect, it } from 'vitest'

import type { DeadLetterView } from '@/api/generated/types.gen'

import { groupByCause } from './dead-letter-causes'

function deadLetter(seq: number, reason: string, time: string, consumer = 'order_DELIVERIES', more: Partial<DeadLetterView> = {}): DeadLetterView {
  const where = { stream: 'DELIVERIES', streamSeq: seq, subject: 'tiffin.delivery.x.created' }
  return { seq, reason, time, consumer, attempts: 1, ...where, waiting: 0, holdsUpDeletion: false, event: {}, ...more }
}

it('groups dead letters of one cause, whatever ids and numbers the reason names', () => {
  const groups = groupByCause([
    deadLetter(3, 'payload: missing field `total` at line 1 column 90', '2026-11-21T10:02:00Z'),
    deadLetter(1, 'payload: missing field `total` at line 1 column 88', '2026-11-21T10:00:00Z', 'payment_ORDERS'),
    deadLetter(2, 'it is poison', '2026-11-21T10:01:00Z'),
    deadLetter(4, 'no order 01a20063-1d04-7999-b9e1-5c66ad9d3d72', '2026-11-21T10:03:00Z'),
    deadLetter(5, 'no order 01a20063-1d04-7999-b9e1-5c66ad9d3d73', '2026-11-21T10:04:00Z'),
  ])
  expect(groups.map(({ cause, deadLetters }) => [cause, deadLetters.map(({ seq }) => seq)])).toEqual([
    ['payload: missing field `total` at line … column …', [1, 3]],
    ['it is poison', [2]],
    ['no order …', [4, 5]],
  ])
  expect(groups[0]).toMatchObject({
    consumers: ['order_DELIVERIES', 'payment_ORDERS'],
    oldest: '2026-11-21T10:00:00Z',
    newest: '2026-11-21T10:02:00Z',
  })
})

it('puts what holds up a deletion first, and counts what waits', () => {
  const groups = groupByCause([
    deadLetter(1, 'it is poison', '2026-11-21T10:00:00Z', 'order_USERS', { waiting: 2 }),
    deadLetter(2, 'no such field', '2026-11-21T10:01:00Z', 'order_USERS', { waiting: 1 }),
    deadLetter(3, 'no such field', '2026-11-21T10:02:00Z', 'order_USERS', { waiting: 4, holdsUpDeletion: true }),
  ])
  expect(groups.map(({ deadLetters }) => deadLetters.map(({ seq }) => seq))).toEqual([[3, 2], [1]])
  expect(groups[0]).toMatchObject({ waiting: 5, deletions: 1, oldest: '2026-11-21T10:01:00Z', newest: '2026-11-21T10:02:00Z' })
})

it('keeps the words whole where they are the same', () => {
  expect(groupByCause([deadLetter(1, 'order 12 is closed', '2026-11-21T10:00:00Z')])[0]?.cause).toBe('order 12 is closed')
  expect(groupByCause([])).toEqual([])
})
