import { platform } from '@test/platform'
import { show, signIn } from '@test/render'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, it, vi } from 'vitest'

import { paths } from '@/lib/paths'

import { EventsPage } from './EventsPage'

const server = platform()

const ID = '0193e4a1-0000-7000-8000-000000000001'

const event = {
  stream: 'ORDERS',
  seq: 7,
  subject: `tiffin.order.${ID}.placed`,
  event: { id: ID, type: 'tiffin.order.placed.v1', source: 'tiffin/order', subject: ID, time: '2026-01-01T10:00:00Z', actor: 'tiffin/order', sequence: 1, data: {} },
}

const messages = { 'client.auth': {}, 'tiffin.order.placed.v1': {}, 'tiffin.user.verified.v1': {} }

/** Answers of the platform that every search needs. */
function overview() {
  server.use(
    http.get('*/api/v1/operator/streams', () => HttpResponse.json({ streams: [], services: [], deadLetters: 0 })),
    http.get('*/asyncapi.json', () => HttpResponse.json({ components: { messages } })),
  )
}

it('takes types, codes of orders and e-mail addresses as people write them', async () => {
  signIn({ role: 'admin' })
  // The aggregate has its column on wide screens only.
  const narrow = window.matchMedia
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({ ...narrow(query), matches: query.includes('min-width') }))
  overview()
  const asked: Record<string, string>[] = []
  server.use(
    http.get('*/api/v1/users', () => HttpResponse.json([{ _id: 'other', email: 'not.nimal@example.com' }, { _id: ID, email: 'Nimal@example.com' }])),
    http.get('*/api/v1/operator/events', ({ request }) => {
      const query = Object.fromEntries(new URL(request.url).searchParams)
      asked.push(query)
      return HttpResponse.json([{ ...event, event: { ...event.event, data: { orderCode: 'ORD-7K3M9QX2', itemName: 'Chicken kottu' } } }])
    }),
  )
  show(<EventsPage />, paths.operator.events({ type: 'order placed', aggregate: 'ORD-7K3M9QX2', actor: 'nimal@example.com', q: 'kottu' }))
  expect(await screen.findByRole('link', { name: 'ORD-7K3M9QX2' })).toBeVisible()
  expect(screen.getByText('Item name: Chicken kottu')).toBeVisible()
  expect(screen.getByText('1 event')).toBeVisible()
  expect(asked[0]).toEqual({ type: 'tiffin.order.placed.v1', q: 'ORD-7K3M9QX2', limit: '1' })
  expect(asked.at(-1)).toEqual({ type: 'tiffin.order.placed.v1', aggregate: ID, actor: ID, q: 'kottu', limit: '50' })
  const suggested = [...document.querySelectorAll('datalist option')].map((option) => option.getAttribute('value'))
  expect(suggested).toEqual(['order.placed', 'user.verified'])
})

it('takes the code of an order as a correlation as well', async () => {
  overview()
  const asked: Record<string, string>[] = []
  server.use(
    http.get('*/api/v1/operator/events', ({ request }) => {
      asked.push(Object.fromEntries(new URL(request.url).searchParams))
      return HttpResponse.json([event])
    }),
  )
  show(<EventsPage />, paths.operator.events({ correlation: 'ORD-7K3M9QX2' }))
  expect(await screen.findByText('1 event')).toBeVisible()
  expect(asked).toEqual([
    { type: 'tiffin.order.placed.v1', q: 'ORD-7K3M9QX2', limit: '1' },
    { correlation: ID, limit: '50' },
  ])
})

it('says that no order has a code, and asks for no events', async () => {
  overview()
  const asked: (string | null)[] = []
  server.use(
    http.get('*/api/v1/operator/events', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('aggregate'))
      return HttpResponse.json([])
    }),
  )
  show(<EventsPage />, paths.operator.events({ aggregate: 'ORD-NONE' }))
  expect(await screen.findByText('There is no order with this code.')).toBeVisible()
  expect(screen.getByText('Fix the highlighted filter.')).toBeVisible()
  expect(new Set(asked)).toEqual(new Set([null]))
})

it('says what is left of the archive where a part of it has no match, and goes on when asked', async () => {
  overview()
  server.use(
    http.get('*/api/v1/operator/events', ({ request }) => {
      if (new URL(request.url).searchParams.has('cursor')) return HttpResponse.json([event])
      const headers = { Link: `</api/v1/operator/events?q=kottu&cursor=${ID}>; rel="next"`, 'Tiffin-Segments-Left': '12' }
      return HttpResponse.json([], { headers })
    }),
  )
  show(<EventsPage />, paths.operator.events({ q: 'kottu' }))
  expect(await screen.findByText('12 segments of the archive are left to search.')).toBeVisible()
  expect(screen.queryByText('No event matches.')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Search on' }))
  expect(await screen.findByTitle('tiffin.order.placed.v1')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Search on' })).toBeNull()
})

it('saves a search under a name, in this browser and for this account', async () => {
  signIn({ role: 'admin' })
  overview()
  server.use(http.get('*/api/v1/operator/events', () => HttpResponse.json([])))
  const router = show(<EventsPage />, paths.operator.events({ type: 'order.placed', q: 'kottu' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Save this search' }))
  await userEvent.type(await screen.findByLabelText('Name'), 'Kottu orders{Enter}')
  await router.navigate(paths.operator.events())
  await userEvent.click(await screen.findByRole('link', { name: 'Kottu orders' }))
  expect(router.state.location.search).toBe('?type=order.placed&q=kottu')
  await userEvent.click(screen.getByRole('button', { name: 'Forget Kottu orders' }))
  expect(screen.queryByRole('link', { name: 'Kottu orders' })).toBeNull()
})
