import { order, orderList, payment, platform } from '@test/platform'
import { show, signIn } from '@test/render'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { dateTimeText } from '@/lib/format'

import { AdminOrdersPage } from './AdminOrdersPage'
import { PaymentsPage } from './PaymentsPage'

const server = platform()
const files: Blob[] = []

beforeEach(() => {
  signIn({ role: 'admin' })
  files.length = 0
  URL.createObjectURL = (file) => {
    if (file instanceof Blob) files.push(file)
    return 'blob:file'
  }
  URL.revokeObjectURL = () => {}
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
})

/** The lines of the file that the export saves. */
async function exported() {
  await userEvent.click(screen.getByRole('button', { name: 'Download CSV' }))
  await expect.poll(() => files.length).toBe(1)
  return ((await files[0]?.text()) ?? '').replace('\uFEFF', '').split('\r\n')
}

describe("the administrators' payments", () => {
  it('tell a refund from a payment, in the list and in the export', async () => {
    server.use(
      http.get('*/api/v1/payment', () =>
        HttpResponse.json([payment(), payment({ _id: 'p2', bookingId: 'ORD-BBBB2222', status: 'refunded', refunded: 701 })]),
      ),
    )
    show(<PaymentsPage />, '/admin/payment')
    const refunded = within(await screen.findByRole('article', { name: 'Payment for ORD-BBBB2222' }))
    expect(refunded.getByText('Refunded')).toBeVisible()
    expect(refunded.getByText('Rs. 701.00 refunded')).toBeVisible()
    const captured = within(screen.getByRole('article', { name: 'Payment for ORD-AAAA1111' }))
    expect(captured.getByText('Captured')).toBeVisible()
    expect(captured.queryByText(/refunded/i)).toBeNull()
    expect(await exported()).toEqual([
      'Booking ID,Amount (Rs.),Payment Type,Status,Date,Refunded (Rs.),Card',
      'ORD-AAAA1111,701,Card,Captured,2026-11-21T10:01:00Z,0,',
      'ORD-BBBB2222,701,Card,Refunded,2026-11-21T10:01:00Z,701,',
    ])
  })
})

describe("the administrators' orders", () => {
  const orders = [
    order({ isPaid: true }),
    order({ _id: 'x2', orderId: 'ORD-BBBB2222', status: 'dispatched', isApprove: true }),
    order({ _id: 'x3', orderId: 'ORD-CCCC3333', status: 'cancelled' }),
  ]

  it('are exported with status, payment, restaurant, dish and quantity', async () => {
    server.use(orderList(orders))
    show(<AdminOrdersPage />, '/admin/booking')
    await screen.findByRole('article', { name: 'Order ORD-AAAA1111' })
    expect(await exported()).toEqual([
      'Order ID,Email,Order Date,Amount (Rs.),Status,Approval,Payment,Restaurant name,Item,Quantity',
      'ORD-AAAA1111,customer@tiffin.local,2026-11-21T10:00:00Z,701,Pending,Pending,Paid,Lotus Kitchen,Chicken Kottu,2',
      'ORD-BBBB2222,customer@tiffin.local,2026-11-21T10:00:00Z,701,Dispatched,Approved,Unpaid,Lotus Kitchen,Chicken Kottu,2',
      'ORD-CCCC3333,customer@tiffin.local,2026-11-21T10:00:00Z,701,Cancelled,Pending,,Lotus Kitchen,Chicken Kottu,2',
    ])
  })

  it('are sorted by what the service can sort, not by fetching all of them', async () => {
    const asked: URLSearchParams[] = []
    server.use(
      http.get('*/api/v1/orders', ({ request }) => {
        asked.push(new URL(request.url).searchParams)
        return HttpResponse.json(orders)
      }),
    )
    show(<AdminOrdersPage />, '/admin/booking')
    const select = await screen.findByLabelText('Sort by')
    const sorts = within(select).getAllByRole('option').map((option) => option.getAttribute('value') ?? '').filter((sort) => sort !== '')
    expect(sorts).toEqual(['createdAt', '-createdAt', 'totalAmount', '-totalAmount'])
    for (const sort of sorts) {
      await userEvent.selectOptions(select, sort)
      await expect.poll(() => asked.at(-1)?.get('sort')).toBe({ createdAt: 'oldest', '-createdAt': 'newest', totalAmount: 'smallest' }[sort] ?? 'amount')
    }
    expect(asked.map((query) => query.get('limit'))).not.toContain('500')
  })

  it('have the time in their date', async () => {
    server.use(orderList(orders))
    show(<AdminOrdersPage />, '/admin/booking')
    const card = await screen.findByRole('article', { name: 'Order ORD-AAAA1111' })
    expect(dateTimeText('2026-11-21T10:00:00Z')).toMatch(/\d:\d\d/)
    expect(within(card).getByText(dateTimeText('2026-11-21T10:00:00Z'))).toBeVisible()
  })

  it('show the status that they are narrowed to, beside the approval', async () => {
    server.use(orderList(orders))
    show(<AdminOrdersPage />, '/admin/booking?status=dispatched')
    const card = await screen.findByRole('article', { name: 'Order ORD-BBBB2222' })
    expect(screen.getAllByRole('article')).toHaveLength(1)
    expect(card.querySelector('[data-status=dispatched]')).toHaveTextContent('Dispatched')
    expect(within(card).queryByText('Pending')).toBeNull()
  })
})
