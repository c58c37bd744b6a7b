import { driver, list, order, orderList, platform, restaurant } from '@test/platform'
import { show, signIn } from '@test/render'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, it } from 'vitest'

import { TableView } from './TableView'

const server = platform()

beforeEach(() => {
  signIn({ role: 'restaurant' })
  server.use(list('restaurant', [restaurant()]), list('delivery', []), list('driver', [driver()]))
})

it('asks the service for the words, and keeps them in the address', async () => {
  server.use(
    http.get('*/api/v1/orders', ({ request }) => {
      const { searchParams } = new URL(request.url)
      const rows = [order(), order({ _id: 'x2', orderId: 'ORD-BBBB2222', restaurantName: 'Beach Wadiya' })]
      const q = searchParams.get('q')?.toLowerCase() ?? ''
      return HttpResponse.json(searchParams.has('isOpen') ? [] : rows.filter((one) => one.restaurantName.toLowerCase().includes(q)))
    }),
  )
  show(<TableView />)
  expect(await screen.findAllByTestId('order-row')).toHaveLength(2)
  const field = screen.getByRole('searchbox', { name: 'Search orders' })
  await userEvent.type(field, 'wadiya ')
  await waitFor(() => { expect(screen.getAllByTestId('order-row')).toHaveLength(1) })
  expect(screen.getByTestId('order-row')).toHaveAttribute('data-order', 'ORD-BBBB2222')
  expect(window.location.search).toBe('?q=wadiya')
  await userEvent.type(field, 'x')
  expect(await screen.findByText('No order matches.')).toBeVisible()
  await userEvent.clear(field)
  await waitFor(() => { expect(screen.getAllByTestId('order-row')).toHaveLength(2) })
  expect(window.location.search).toBe('')
})

it('says that drivers are looked for, until they are here', async () => {
  let answer: (() => void) | undefined
  server.use(
    orderList([order()]),
    http.get('*/api/v1/driver', async () => {
      await new Promise<void>((resolve) => { answer = resolve })
      return HttpResponse.json([])
    }),
  )
  show(<TableView />)
  const drivers = await screen.findByLabelText('Driver for ORD-AAAA1111')
  expect(within(drivers).getByRole('option', { name: 'Looking for drivers …' })).toBeInTheDocument()
  await expect.poll(() => answer).toBeDefined()
  answer?.()
  expect(await within(drivers).findByRole('option', { name: 'No driver available' })).toBeInTheDocument()
})
