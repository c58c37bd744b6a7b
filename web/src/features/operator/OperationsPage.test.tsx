import { platform } from '@test/platform'
import { show, signIn } from '@test/render'
import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, it, vi } from 'vitest'

import { paths } from '@/lib/paths'

import { OperationsPage } from './OperationsPage'

const server = platform()

/** An event of an operation, as the audit has it. */
function audited(seq: number, name: string, id: string, data: Record<string, unknown> = {}) {
  const event = { id: `e${String(seq)}`, type: `tiffin.operation.${name}.v1`, subject: id, actor: 'u1', time: '2026-11-21T10:00:00Z', data }
  return { stream: 'OPERATIONS', seq, subject: `tiffin.operation.${id}.${name}`, event }
}

it('says how each operation ended, and why one failed', async () => {
  // The outcome has its column on wide screens only.
  const narrow = window.matchMedia
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({ ...narrow(query), matches: query.includes('min-width') }))
  signIn({ role: 'operator' })
  const events = [
    audited(7, 'cancelled', 'o4'),
    audited(6, 'failed', 'o2', { error: 'The event was not handled: no such order.' }),
    audited(5, 'done', 'o1'),
    audited(4, 'begun', 'o4', { verb: 'replay', target: 'user_ORDERS', reason: 'too slow' }),
    audited(3, 'begun', 'o3', { verb: 'rebuild', target: 'payment_ORDERS', reason: 'a doubt' }),
    audited(2, 'begun', 'o2', { verb: 'retry', target: 'delivery_ORDERS', reason: 'the bug is mended' }),
    audited(1, 'begun', 'o1', { verb: 'discard', target: 'order_DRIVERS', reason: 'a test account' }),
  ]
  server.use(http.get('*/api/v1/operator/events', () => HttpResponse.json(events)))
  show(<OperationsPage />, paths.operator.operations())
  const table = await screen.findByRole('table', { name: 'Operations' })
  const heads = within(table).getAllByRole('columnheader').map((head) => head.textContent)
  const outcomes = within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell'))
    .map((cells) => [cells[heads.indexOf('What')]?.textContent, cells[heads.indexOf('Outcome')]?.textContent])
  expect(outcomes).toEqual([
    ['Replayed to user_ORDERS', 'Cancelled'],
    ['Rebuilt payment_ORDERS', '–'],
    ['Retried delivery_ORDERS', 'FailedThe event was not handled: no such order.'],
    ['Discarded order_DRIVERS', 'Done'],
  ])
})
