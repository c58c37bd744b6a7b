import { expect, it } from 'vitest'

import type { StreamView } from '@/api/generated/types.gen'

import { isLogged, replayable } from './streams'

function stream(name: string, consumers: Record<string, boolean>): StreamView {
  const own = Object.entries(consumers).map(([name, takesReplays]) => ({
    name,
    takesReplays,
    pending: 0,
    inFlight: 0,
    redelivered: 0,
    lagSeconds: 0,
    tables: [],
    blocked: 0,
    parked: 0,
  }))
  return { name, consumers: own, lastSeq: 0, firstSeq: 0, messages: 0, bytes: 0, maxBytes: 1, subjects: [] }
}

it('offers a replay only to who takes one', () => {
  expect(replayable(stream('ORDERS', { delivery_ORDERS: true, operator_ORDERS: false }))).toEqual(['delivery_ORDERS'])
  expect(replayable(stream('OPERATIONS', { operator_OPERATIONS: false }))).toEqual([])
  expect(replayable(undefined)).toEqual([])
})

it('knows what can be looked for', () => {
  expect(['ORDERS', 'POSITIONS', 'DEADLETTERS', 'OPERATIONS'].filter(isLogged)).toEqual(['ORDERS', 'OPERATIONS'])
})
