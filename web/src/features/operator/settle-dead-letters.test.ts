import { expect, it } from 'vitest'

import type { DeadLetterView } from '@/api/generated/types.gen'
import { Problem } from '@/api/problem'

import { aggregateOf, settleDeadLetters } from './settle-dead-letters'

function deadLetter(seq: number, streamSeq: number, stream = 'ORDERS'): DeadLetterView {
  const deadLetter = { seq, streamSeq, stream, consumer: 'c', reason: 'r', attempts: 1, time: '', subject: 'tiffin.order.x1.placed' }
  return { ...deadLetter, waiting: 0, holdsUpDeletion: false, event: {} }
}

const refusal = new Problem(409, { status: 409, message: 'it is poison' })

it('takes the earliest event first, and continues after a refusal', async () => {
  const order: number[] = []
  const calls: number[] = []
  const outcome = await settleDeadLetters(
    [deadLetter(1, 9), deadLetter(2, 3), deadLetter(3, 4), deadLetter(4, 1, 'DELIVERIES')],
    ({ seq }) => {
      order.push(seq)
      return seq === 3 ? Promise.reject(refusal) : Promise.resolve()
    },
    'no',
    (done) => calls.push(done),
  )
  expect(order).toEqual([4, 2, 3, 1])
  expect(calls).toEqual([1, 2, 3, 4])
  expect(outcome.settled).toBe(3)
  expect(outcome.refused.map(({ deadLetter, reason }) => [deadLetter.seq, reason])).toEqual([[3, 'it is poison']])
})

it('throws the refusal where nothing was settled', async () => {
  await expect(settleDeadLetters([deadLetter(1, 1)], () => Promise.reject(refusal), 'no')).rejects.toBe(refusal)
  expect(await settleDeadLetters([], () => Promise.reject(refusal), 'no')).toEqual({ settled: 0, refused: [] })
})

it('knows the aggregate that waits', () => {
  expect(aggregateOf(deadLetter(1, 1))).toBe('x1')
})
