import { payment, platform } from '@test/platform'
import { show, signIn } from '@test/render'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, it } from 'vitest'

import type { Payment } from '@/api/generated/types.gen'

import { PaymentsPage } from './PaymentsPage'

const server = platform()

/** Payments by their service, which lists delayed refunds on request. */
function payments(rows: Payment[]) {
  return http.get('*/api/v1/payment', ({ request }) => {
    const isDelayed = new URL(request.url).searchParams.get('refund') === 'delayed'
    return HttpResponse.json(rows.filter(({ isRefundDelayed }) => !isDelayed || isRefundDelayed))
  })
}

const captured = payment()
const delayed = payment({ _id: 'p2', bookingId: 'ORD-BBBB2222', status: 'refunding', refunded: 100, isRefundDelayed: true })

beforeEach(() => {
  signIn({ role: 'admin' })
})

it('says how many refunds the provider has not made, and lists them', async () => {
  server.use(payments([captured, delayed]))
  show(<PaymentsPage />)
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent('A refund is delayed')
  const row = () => screen.findByRole('article', { name: 'Payment for ORD-BBBB2222' })
  expect(within(await row()).getByText('Refund delayed')).toBeVisible()
  await userEvent.click(within(alert).getByRole('button', { name: 'Show delayed refunds' }))
  await row()
  await expect.poll(() => screen.queryByRole('article', { name: 'Payment for ORD-AAAA1111' })).toBeNull()
})

it('has no alert without delayed refunds, and refunds the order of a payment', async () => {
  const room = { orderId: 'ORD-AAAA1111', totalAmount: 701, refunded: 0, refundable: 701, restaurantUntil: '2026-11-22T10:00:00Z', refunds: [] }
  server.use(payments([captured]), http.get('*/api/v1/payment/refunds/:orderId', () => HttpResponse.json(room)))
  show(<PaymentsPage />)
  await userEvent.click(await screen.findByRole('button', { name: 'Refund order ORD-AAAA1111' }))
  const dialog = await screen.findByRole('dialog')
  expect(await within(dialog).findByLabelText('The whole order (Rs. 701.00)')).toBeChecked()
  expect(screen.queryByRole('alert')).toBeNull()
})
