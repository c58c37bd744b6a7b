import { platform } from '@test/platform'
import { show } from '@test/render'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, it } from 'vitest'

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

it('says what is left of the archive where a part of it has no match, and goes on when asked', async () => {
  server.use(
    http.get('*/api/v1/operator/streams', () => HttpResponse.json({ streams: [], services: [], deadLetters: 0 })),
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
