import { list, platform } from '@test/platform'
import { show } from '@test/render'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, it } from 'vitest'

import type { Capacity } from '@/api/generated/types.gen'
import { paths } from '@/lib/paths'

import { CapacityPage } from './CapacityPage'

const server = platform()
const CAPACITY = '*/api/v1/operator/capacity'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

function stream(name: string, over: Partial<Capacity['streams'][number]> = {}) {
  return { name, messages: 12_345, bytes: 400_000_000, maxBytes: 1_000_000_000, percent: 40, eventsADay: 100, bytesADay: 5_000, fullAt: null, refuses: true, ...over }
}

function capacity(over: Partial<Capacity> = {}): Capacity {
  return {
    window: { since: inDays(-7), days: 7, isWhole: true },
    order: { placed: 120, events: 14.2, bytes: 19_800 },
    streams: [stream('ORDERS')],
    databases: [
      { name: 'order', outbox: { rows: 777, bytes: 65_000, rowsADay: 11, bytesADay: 900 }, otherBytes: 8_000_000 },
      { name: 'media', outbox: null, otherBytes: null },
    ],
    eventLog: { bytes: 1_500_000, bytesADay: 2_000, months: 3, settlesAt: null },
    broker: { bytes: 2_000_000_000, maxBytes: 12_000_000_000, percent: 16.7, bytesADay: 5_000, fullAt: null },
    ...over,
  }
}

function answer(body: Capacity) {
  server.use(http.get(CAPACITY, () => HttpResponse.json(body)), list('operator/replays', []))
  show(<CapacityPage />, paths.operator.capacity())
}

it('shows what fills up first with its day in words, then what an order costs', async () => {
  answer(
    capacity({
      streams: [stream('NOTIFICATIONS', { percent: 71.4, fullAt: inDays(21.5) }), stream('ORDERS'), stream('POSITIONS', { refuses: false })],
    }),
  )
  const first = await screen.findByRole('region', { name: 'What fills up first' })
  expect(within(first).getByText('NOTIFICATIONS')).toBeVisible()
  expect(within(first).getByText(/^in 3 weeks, around \d+ \w+$|^in 3 weeks, around \w+ \d+$/)).toBeVisible()
  expect(within(first).queryByText('ORDERS')).toBeNull()
  expect(screen.getByText('14 events; mean of 120 orders')).toBeVisible()
  expect(screen.getAllByText('Never').length).toBeGreaterThan(0)
  expect(screen.getByText('No response')).toBeVisible()
})

it('says at which size the event log stays', async () => {
  answer(capacity({ eventLog: { bytes: 1_500_000, bytesADay: 2_000, months: 3, settlesAt: 3_000_000 } }))
  expect(await screen.findByText(/^Stays at .* at this pace$/)).toBeVisible()
})

it('says that a full stream is full', async () => {
  answer(capacity({ streams: [stream('ORDERS', { percent: 100, fullAt: inDays(-1) })] }))
  const first = await screen.findByRole('region', { name: 'What fills up first' })
  expect(within(first).getByText('Full now')).toBeVisible()
})

it('says nothing of the days to come while the platform is younger than a day', async () => {
  const none = { eventsADay: null, bytesADay: null }
  answer(capacity({ window: { since: inDays(-0.2), days: 0.2, isWhole: false }, order: null, streams: [stream('ORDERS', none)] }))
  const first = await screen.findByRole('region', { name: 'What fills up first' })
  expect(within(first).getByText('Too few days to tell')).toBeVisible()
  expect(screen.getByText('No orders in this time')).toBeVisible()
  expect(screen.getByText('The age of the platform')).toBeVisible()
  expect(screen.queryByText('Never')).toBeNull()
})

it('says that nothing fills up where nothing does', async () => {
  answer(capacity())
  expect(await screen.findByText('Nothing fills up at this pace.')).toBeVisible()
})

it('says what failed, and asks again', async () => {
  server.use(list('operator/replays', []), http.get(CAPACITY, () => HttpResponse.json(capacity())))
  server.use(http.get(CAPACITY, () => HttpResponse.json({ status: 503, message: 'The broker does not answer.' }, { status: 503 }), { once: true }))
  show(<CapacityPage />, paths.operator.capacity())
  await screen.findByRole('alert')
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Nothing fills up at this pace.')).toBeVisible()
})

it('archives events of an age that is given, or those of the configured window', async () => {
  const asked: unknown[] = []
  server.use(
    http.post('*/api/v1/operator/archive', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json({ replayId: 'r1', matched: 0 }, { status: 202 })
    }),
  )
  answer(capacity())
  for (const days of ['', '90']) {
    await userEvent.click(await screen.findByRole('button', { name: 'Archive old events…' }))
    const dialog = await screen.findByRole('dialog')
    if (days !== '') await userEvent.type(within(dialog).getByLabelText('Older than, in days'), days)
    await userEvent.type(within(dialog).getByLabelText(/^Reason/), 'a small disk')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Archive now' }))
    await waitFor(() => { expect(screen.queryByRole('dialog')).toBeNull() })
  }
  expect(asked).toEqual([{ reason: 'a small disk', afterDays: null }, { reason: 'a small disk', afterDays: 90 }])
})
