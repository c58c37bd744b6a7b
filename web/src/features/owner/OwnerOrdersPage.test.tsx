import { driver, list, order, platform, problem } from '@test/platform'
import { show, signIn } from '@test/render'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { OwnerOrdersPage } from './OwnerOrdersPage'

const server = platform()
let calls: { orderId: unknown; body: unknown }[] = []

const setting = http.put('*/api/v1/orders/status/:orderId', async ({ params, request }) => {
  calls.push({ orderId: params.orderId, body: await request.json() })
  return HttpResponse.json({ message: 'ok', order: order({ status: 'confirmed' }) })
})

beforeAll(() => {
  server.listen({ onUnhandledRequest: 'error' })
})
beforeEach(() => {
  calls = []
  signIn({ role: 'restaurant' })
  server.use(
    list('driver', [driver(), driver({ _id: 'd2', id: 'd2', firstName: 'Amal', lastName: 'Bandara', isAvailable: false })]),
    setting,
  )
})
afterEach(() => {
  server.resetHandlers()
  vi.useRealTimers()
})
afterAll(() => {
  server.close()
})

describe("the owner's orders", () => {
  it('does not confirm without a driver, and calls nothing', async () => {
    server.use(list('orders', [order()]))
    show(<OwnerOrdersPage />)
    await userEvent.selectOptions(await screen.findByLabelText('Status of ORD-AAAA1111'), 'confirmed')
    expect(await screen.findByText('Please select a driver before confirming.')).toBeInTheDocument()
    expect(calls).toEqual([])
  })

  it('confirms with the driver that was picked', async () => {
    server.use(list('orders', [order()]))
    show(<OwnerOrdersPage />)
    const drivers = await screen.findByLabelText('Driver for ORD-AAAA1111')
    await within(drivers).findByText('Kasun Fernando')
    expect(within(drivers).queryByText('Amal Bandara')).toBeNull()
    await userEvent.selectOptions(drivers, 'd1')
    await userEvent.selectOptions(screen.getByLabelText('Status of ORD-AAAA1111'), 'confirmed')
    expect(await screen.findByText('Order status updated to confirmed')).toBeInTheDocument()
    expect(calls).toEqual([{ orderId: 'ORD-AAAA1111', body: { status: 'confirmed', driverId: 'd1' } }])
  })

  it('learns by itself who has become free', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    server.use(list('orders', [order()]))
    show(<OwnerOrdersPage />)
    const drivers = await screen.findByLabelText('Driver for ORD-AAAA1111')
    await within(drivers).findByText('Kasun Fernando')
    server.use(list('driver', [driver({ _id: 'd2', id: 'd2', firstName: 'Amal', lastName: 'Bandara' })]))
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await within(drivers).findByText('Amal Bandara')).toBeInTheDocument()
  })

  it('offers to confirm the other lines of the same trip', async () => {
    const other = order({ _id: 'x2', orderId: 'ORD-BBBB2222' })
    const elsewhere = order({ _id: 'x3', orderId: 'ORD-CCCC3333', restaurantId: 'r2' })
    server.use(list('orders', [order(), other, elsewhere]))
    show(<OwnerOrdersPage />)
    const drivers = await screen.findByLabelText('Driver for ORD-AAAA1111')
    await within(drivers).findByText('Kasun Fernando')
    await userEvent.selectOptions(drivers, 'd1')
    await userEvent.selectOptions(screen.getByLabelText('Status of ORD-AAAA1111'), 'confirmed')
    await userEvent.click(await screen.findByRole('button', { name: 'Confirm the rest' }))
    await expect.poll(() => calls.map((call) => call.orderId)).toEqual(['ORD-AAAA1111', 'ORD-BBBB2222'])
  })

  it('says when a status could not be set', async () => {
    server.use(
      list('orders', [order({ status: 'confirmed', assignedDriver: 'd1' })]),
      http.put('*/api/v1/orders/status/:orderId', () => problem(503, 'Not ready.')),
    )
    show(<OwnerOrdersPage />)
    await userEvent.selectOptions(await screen.findByLabelText('Status of ORD-AAAA1111'), 'preparing')
    expect(await screen.findByText('Failed to update status or assign delivery.')).toBeInTheDocument()
  })

  it('unfolds address, name and phone, N/A where missing', async () => {
    server.use(list('orders', [order()]))
    show(<OwnerOrdersPage />)
    await userEvent.click(await screen.findByRole('button', { name: 'Show Description' }))
    expect(screen.getByText('12 Galle Face', { exact: false })).toBeVisible()
    expect(screen.getByText('N/A', { exact: false })).toBeVisible()
  })
})
