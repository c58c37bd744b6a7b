import { expect, it } from 'vitest'

import { eventKey, readEventKey } from './event-key'

it('reads keys of events', () => {
  expect(readEventKey(eventKey({ stream: 'ORDERS', seq: 12 }))).toEqual({ stream: 'ORDERS', seq: 12 })
  for (const text of [null, '', 'ORDERS', 'ORDERS/', 'ORDERS/x', '../12']) expect(readEventKey(text)).toBeNull()
})
