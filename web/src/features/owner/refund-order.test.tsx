import { driver, list, order, orderList, platform, problem, restaurant } from '@test/platform'
import { show, signIn } from '@test/render'
import { notifications } from '@mantine/notifications'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { OwnerOrdersPage } from './OwnerOrdersPage'

const server = platform()
let calls: { orderId: unknown; body: unknown; key: string | null }[] = []

const room = (over: Record<string, unknown> = {}) =>
  http.get('*/api/v1/payment/refunds/:orderId', () =>
    HttpResponse.json({
      orderId: 'ORD-AAAA1111',
      totalAmount: 701,
      refunded: 0,
      refundable: 350.5,
      restaurantUntil: '2026-11-22T10:00:00Z',
      refunds: [],
      ...over,
    }),
  )
const refunding = http.post('*/api/v1/payment/refunds/:orderId', async ({ params, request }) => {
  calls.push({ orderId: params.orderId, body: await request.json(), key: request.headers.get('idempotency-key') })
  return HttpResponse.json({ message: 'ok', refunds: {} }, { status: 201 })
})

beforeEach(() => {
  calls = []
  signIn({ role: 'restaurant' })
  server.use(list('restaurant', [restaurant()]), list('driver', [driver()]), list('delivery', []), room(), refunding)
  server.use(orderList([order({ isPaid: true })]))
})
afterEach(() => {
  notifications.clean()
  localStorage.clear()
})

async function openDialog() {
  show(<OwnerOrdersPage />)
  await userEvent.click(await screen.findByRole('button', { name: 'Refund order ORD-AAAA1111' }))
  return await screen.findByRole('dialog')
}

describe('refunding an order', () => {
  it('sends the part, the reason and the note once', async () => {
    const dialog = await openDialog()
    expect(await within(dialog).findByLabelText('A part (at most Rs. 350.50)')).toBeChecked()
    expect(within(dialog).queryByLabelText(/^The whole order/)).toBeNull()
    await userEvent.type(within(dialog).getByLabelText('Amount of the part'), '300')
    await userEvent.click(within(dialog).getByLabelText('Missing item'))
    await userEvent.type(within(dialog).getByLabelText('Note to the customer'), 'No sambol. Sorry!')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Refund Rs. 300.00' }))
    expect(await screen.findByText('Rs. 300.00 of ORD-AAAA1111 is being refunded.')).toBeVisible()
    expect(calls).toMatchObject([
      { orderId: 'ORD-AAAA1111', body: { amount: 300, reason: 'missing_item', note: 'No sambol. Sorry!' } },
    ])
    expect(calls[0]?.key).toMatch(/^[0-9a-f]{32}$/)
    await waitFor(() => { expect(screen.queryByRole('dialog')).toBeNull() })
  })

  it('wants an amount within the limit and a reason', async () => {
    const dialog = await openDialog()
    await userEvent.type(await within(dialog).findByLabelText('Amount of the part'), '350.51')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Refund' }))
    expect(await within(dialog).findByText('Give an amount above zero, at most Rs. 350.50.')).toBeVisible()
    expect(within(dialog).getByText('Please choose a reason.')).toBeVisible()
    expect(calls).toEqual([])
  })

  it('offers the whole order where it may all go back', async () => {
    server.use(room({ refunded: 101, refundable: 600 }))
    const dialog = await openDialog()
    expect(await within(dialog).findByLabelText('The whole order (Rs. 600.00)')).toBeChecked()
    expect(within(dialog).getByText('Rs. 101.00 of Rs. 701.00 is refunded already.')).toBeVisible()
    await userEvent.click(within(dialog).getByLabelText('Came too late'))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Refund Rs. 600.00' }))
    await expect.poll(() => calls).toMatchObject([{ body: { amount: 600, reason: 'late' } }])
  })

  it('shows a refusal and stays open, and says where nothing can be refunded', async () => {
    server.use(http.post('*/api/v1/payment/refunds/:orderId', () => problem(409, 'The order is not paid.', { code: 'payment.refund-not-paid' })))
    const dialog = await openDialog()
    await userEvent.type(await within(dialog).findByLabelText('Amount of the part'), '1')
    await userEvent.click(within(dialog).getByLabelText('Something else'))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Refund Rs. 1.00' }))
    expect(await within(dialog).findByText('The order is not paid.')).toBeVisible()
  })

  it('has nothing to refund after the time', async () => {
    server.use(room({ refundable: 0 }))
    const dialog = await openDialog()
    expect(await within(dialog).findByText('You can refund nothing of this order now.')).toBeVisible()
    expect(within(dialog).queryByRole('button', { name: 'Refund' })).toBeNull()
  })
})
