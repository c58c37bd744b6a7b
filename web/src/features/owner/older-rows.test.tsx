import { list, order, platform, restaurant } from '@test/platform'
import { show, signIn } from '@test/render'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, it } from 'vitest'

import { ReviewsPage } from './ReviewsPage'
import { TableView } from './TableView'

const server = platform()

/** A list of two pages. */
function pages(path: string, first: unknown, second: unknown) {
  return http.get(`*/api/v1/${path}`, ({ request }) => {
    const { pathname, searchParams } = new URL(request.url)
    if (searchParams.has('cursor')) return HttpResponse.json([second])
    return HttpResponse.json([first], { headers: { Link: `<${pathname}?cursor=c1>; rel="next"` } })
  })
}

async function pressOlder(name: string) {
  const more = await screen.findByRole('button', { name })
  more.focus()
  await userEvent.keyboard('{Enter}')
}

it('goes on by keyboard with the first of the older orders', async () => {
  signIn({ role: 'restaurant' })
  server.use(list('restaurant', [restaurant()]), list('driver', []), list('delivery', []), list('orders/print-jobs', []))
  server.use(pages('orders', order(), order({ _id: 'x2', orderId: 'ORD-BBBB2222' })))
  show(
    <main>
      <TableView />
    </main>,
  )
  await pressOlder('Older orders')
  const older = await screen.findByLabelText('Driver for ORD-BBBB2222')
  await waitFor(() => {
    expect(older).toHaveFocus()
  })
})

it('goes on by keyboard with the first of the older reviews', async () => {
  const review = { _id: 'v1', name: 'Nimali', itemName: 'Kottu', comment: 'Good.', rating: 4, isApproved: true, date: '2026-11-21T10:00:00Z', profilePicture: null }
  signIn({ role: 'restaurant' })
  server.use(list('restaurant', [restaurant({ ownerId: 'u1' })]))
  server.use(pages('reviews', review, { ...review, _id: 'v2', name: 'Kasun' }))
  show(
    <main>
      <ReviewsPage />
    </main>,
  )
  await pressOlder('Older reviews')
  const older = await screen.findByRole('article', { name: 'Kasun: Kottu' })
  await waitFor(() => {
    expect(older).toHaveFocus()
  })
})
