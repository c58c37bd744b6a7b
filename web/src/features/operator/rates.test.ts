import { expect, it } from 'vitest'

import type { StreamView } from '@/api/generated/types.gen'

import { rateHistory, perSecond, type Sample, withSample } from './rates'

function stream(name: string, lastSeq: number): StreamView {
  return { name, lastSeq, firstSeq: 1, messages: lastSeq, bytes: 0, maxBytes: 1, subjects: [], consumers: [] }
}

it('computes the rate of a stream', () => {
  let samples: Sample[] = []
  samples = withSample(samples, 1_000, [stream('ORDERS', 10), stream('USERS', 5)])
  expect(perSecond(samples, 'ORDERS')).toBeNull()
  samples = withSample(samples, 3_000, [stream('ORDERS', 16), stream('USERS', 5)])
  samples = withSample(samples, 5_000, [stream('ORDERS', 16), stream('USERS', 9)])
  expect(perSecond(samples, 'ORDERS')).toBe(1.5)
  expect(rateHistory(samples)).toEqual([3, 2])
})

it('takes an emptied stream for one that does not grow', () => {
  const before = withSample([], 1_000, [stream('ORDERS', 10)])
  expect(rateHistory(withSample(before, 2_000, [stream('ORDERS', 0)]))).toEqual([0])
})

it('keeps the newest samples alone, each moment once', () => {
  let samples: Sample[] = []
  for (let at = 1; at <= 100; at += 1) samples = withSample(samples, at, [stream('ORDERS', at)])
  expect(samples).toHaveLength(60)
  expect(withSample(samples, 100, [stream('ORDERS', 100)])).toHaveLength(60)
})
