import { platform } from '@test/platform'
import { show, signIn } from '@test/render'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, it } from 'vitest'

import { Bell } from './Bell'

const server = platform()
/** The pages that were asked for. */
let asked: string[] = []

function notification(number: number) {
  return {
    ...{ _id: `n${String(number)}`, orderId: `o${String(number)}`, orderCode: `ORD-${String(number)}`, dishes: [] },
    ...{ read: true, text: `Order ${String(number)} is confirmed.`, timestamp: '2026-11-21T10:00:00Z', topic: 'order_confirmed' },
    ...{ restaurantName: number === 40 ? 'Galle Face Kitchen' : null },
  }
}

/** Notifications with these numbers, downwards. */
function rows(from: number, to: number) {
  return Array.from({ length: from - to + 1 }, (_, index) => notification(from - index))
}

beforeEach(async () => {
  asked = []
  server.use(
    http.get('*/api/v1/notification/unread', () => HttpResponse.json({ unread: 0 })),
    http.get('*/api/v1/notification', ({ request }) => {
      const { search, searchParams } = new URL(request.url)
      asked.push(search)
      if (searchParams.has('cursor')) return HttpResponse.json(rows(15, 13))
      return HttpResponse.json(rows(40, 16), { headers: { Link: '</api/v1/notification?limit=25&cursor=n16>; rel="next"' } })
    }),
  )
  signIn()
  show(<Bell />)
  await userEvent.click(screen.getByRole('button', { name: /otifications/ }))
})

it('shows one page, and fetches older ones when asked', async () => {
  const list = within(await screen.findByRole('dialog'))
  expect(await list.findByText('Order 16 is confirmed.')).toBeVisible()
  expect(list.getAllByText(/is confirmed/)).toHaveLength(25)
  expect(asked).toEqual(['?limit=25'])
  await userEvent.click(list.getByRole('button', { name: 'Load older' }))
  expect(await list.findByText('Order 13 is confirmed.')).toBeVisible()
  expect(list.getAllByText(/is confirmed/)).toHaveLength(28)
  expect(list.queryByRole('button', { name: 'Load older' })).toBeNull()
  expect(asked).toEqual(['?limit=25', '?limit=25&cursor=n16'])
})

it('names the restaurant, where it is known', async () => {
  const list = within(await screen.findByRole('dialog'))
  expect(await list.findByRole('button', { name: /^Order 40 is confirmed.*· Galle Face Kitchen · ORD-40$/ })).toBeVisible()
  expect(list.getByRole('button', { name: /^Order 39 is confirmed[^·]*· ORD-39$/ })).toBeVisible()
})

it('hands the focus of the keyboard to the first of the older ones', async () => {
  const list = within(await screen.findByRole('dialog'))
  const more = await list.findByRole('button', { name: 'Load older' })
  more.focus()
  await userEvent.keyboard('{Enter}')
  const first = await list.findByRole('button', { name: /^Order 15 is confirmed/ })
  await waitFor(() => {
    expect(first).toHaveFocus()
  })
})
