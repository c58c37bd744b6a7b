import { platform, problem } from '@test/platform'
import { show } from '@test/render'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, it } from 'vitest'

import { paths } from '@/lib/paths'

import { ModelsPage } from './ModelsPage'

const server = platform()

function consumer(name: string) {
  return { name, pending: 0, inFlight: 0, redelivered: 0, lagSeconds: 0, blocked: 0, parked: 0, tables: ['rows'], takesReplays: true }
}

function rebuild(target: string) {
  const counts = { published: 1, total: 1, handled: 1, skipped: 0, failed: 0, rate: 0 }
  const times = { startedAt: '2026-11-23T09:00:00Z', updatedAt: '2026-11-23T09:00:01Z' }
  const snapshot = { used: true, positions: { ORDERS: 1200, USERS: 90 }, takenAt: '2026-11-22T09:00:00Z', hash: '3fa8' }
  const report = { equal: true, tables: [], failures: [], snapshot }
  return { ...counts, ...times, replayId: 'r1', verb: 'rebuild', target, state: 'done', actor: 'tiffin/operator', reason: 'a test', spec: {}, report }
}

beforeEach(() => {
  const streams = [{ name: 'ORDERS', subjects: [], consumers: [consumer('delivery_ORDERS'), consumer('user_ORDERS')] }]
  server.use(
    http.get('*/api/v1/operator/streams', () => HttpResponse.json({ streams, services: [], deadLetters: 0 })),
    http.get('*/api/v1/operator/replays', () => HttpResponse.json([rebuild('delivery_ORDERS')])),
  )
  show(<ModelsPage />, paths.operator.models())
})

it('rolls back only what was rebuilt', async () => {
  expect(await screen.findByRole('button', { name: 'Roll back delivery_ORDERS' })).toBeEnabled()
  expect(screen.getByRole('button', { name: 'Roll back user_ORDERS' })).toBeDisabled()
})

it('marks what changes a read model, and leaves its verification plain', async () => {
  const verify = await screen.findByRole('button', { name: 'Verify delivery_ORDERS' })
  expect(verify).toHaveAttribute('data-variant', 'default')
  for (const name of ['Rebuild delivery_ORDERS', 'Roll back delivery_ORDERS']) {
    const button = screen.getByRole('button', { name })
    expect(button).toHaveAttribute('data-variant', 'light')
    expect(button.style.getPropertyValue('--button-color')).toContain('red')
  }
})

it('shows the snapshot from which a read model was built', async () => {
  expect(await screen.findByText(/^Read after the snapshot of .* \(ORDERS 1200, USERS 90; hash 3fa8\)\.$/)).toBeVisible()
})

it('verifies a model from the first event if that is asked for', async () => {
  const asked: unknown[] = []
  server.use(
    http.post('*/api/v1/operator/projections/:consumer/verify', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json({ replayId: 'r2', matched: 0 })
    }),
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Verify delivery_ORDERS' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByLabelText(/^Read from the first event/))
  await userEvent.type(dialog.getByLabelText(/^Reason/), 'a doubt')
  await userEvent.click(dialog.getByRole('button', { name: 'Verify' }))
  await expect.poll(() => asked).toEqual([{ reason: 'a doubt', fromFirstEvent: true }])
})

it('verifies all models with one reason, and names the one that is refused', async () => {
  const verified: string[] = []
  server.use(
    http.post<{ consumer: string }, { reason: string }>('*/api/v1/operator/projections/:consumer/verify', async ({ params, request }) => {
      if (params.consumer === 'user_ORDERS') return problem(409, 'It is being verified.')
      verified.push(`${params.consumer}: ${(await request.json()).reason}`)
      return HttpResponse.json({ replayId: 'r2', matched: 0 })
    }),
  )
  await screen.findByText('user_ORDERS')
  await userEvent.click(screen.getByRole('button', { name: 'Verify all' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText(/^Reason/), 'nightly')
  await userEvent.click(dialog.getByRole('button', { name: 'Verify' }))
  expect(await screen.findByText('3 verifications have started.')).toBeVisible()
  expect(screen.getByText('user_ORDERS: It is being verified.')).toBeVisible()
  expect(verified).toEqual(['delivery_ORDERS: nightly', 'event-log: nightly', 'audit: nightly'])
})
