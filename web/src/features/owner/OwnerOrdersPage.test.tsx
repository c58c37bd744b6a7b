import { driver, list, order, orderList, platform, problem, restaurant } from '@test/platform'
import { show, signIn } from '@test/render'
import { notifications } from '@mantine/notifications'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { clockText } from '@/lib/format'

import { OwnerOrdersPage } from './OwnerOrdersPage'

const server = platform()

/** Has the screen a width for which media queries with `side` hold. */
function answerMedia(side: 'min-width' | 'max-width') {
  const original = window.matchMedia
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({ ...original(query), matches: query.includes(side) }))
}

let calls: { orderId: unknown; body: unknown }[] = []

const setting = http.put('*/api/v1/orders/ticket/:orderId', async ({ params, request }) => {
  calls.push({ orderId: params.orderId, body: await request.json() })
  return HttpResponse.json({ message: 'ok', orders: [order({ status: 'confirmed' })] })
})

beforeEach(() => {
  calls = []
  signIn({ role: 'restaurant' })
  server.use(
    list('restaurant', [restaurant()]),
    list('delivery', []),
    list('orders/print-jobs', []),
    http.post('*/api/v1/delivery', () => HttpResponse.json({ message: 'ok' }, { status: 201 })),
    http.post('*/api/v1/delivery/pick/:id', () => HttpResponse.json({ message: 'ok', driverId: 'd1' })),
    http.post('*/api/v1/notification', () => HttpResponse.json({ message: 'ok' }, { status: 201 })),
    list('driver', [driver(), driver({ _id: 'd2', id: 'd2', firstName: 'Amal', lastName: 'Bandara', isAvailable: false })]),
    setting,
  )
})
afterEach(() => {
  notifications.clean()
})

describe("the owner's orders", () => {
  it('does not confirm without a driver, and calls nothing', async () => {
    server.use(orderList([order()]))
    show(<OwnerOrdersPage />)
    await userEvent.selectOptions(await screen.findByLabelText('Status of ORD-AAAA1111'), 'confirmed')
    expect(await screen.findByText('Please select a driver before confirming.')).toBeInTheDocument()
    expect(calls).toEqual([])
  })

  it('confirms with the driver that was picked', async () => {
    server.use(orderList([order()]))
    show(<OwnerOrdersPage />)
    const drivers = await screen.findByLabelText('Driver for ORD-AAAA1111')
    await within(drivers).findByText('Kasun Fernando')
    expect(within(drivers).queryByText('Amal Bandara')).toBeNull()
    await userEvent.selectOptions(drivers, 'd1')
    await userEvent.selectOptions(screen.getByLabelText('Status of ORD-AAAA1111'), 'confirmed')
    const saved = await screen.findByText('Delivery info saved to database.')
    const [said, ...others] = screen.getAllByRole('status').filter((one) => one.contains(saved))
    expect(others).toEqual([])
    expect(said).toHaveTextContent('Order status updated to confirmed')
    expect(screen.getAllByText('Order status updated to confirmed')).toHaveLength(1)
    expect(calls).toEqual([{ orderId: 'ORD-AAAA1111', body: { status: 'confirmed', from: 'pending', driverId: 'd1' } }])
  })

  it('asks before it confirms with a driver whom another restaurant has picked', async () => {
    const taken = problem(409, 'Another restaurant picked this driver a moment ago.', { code: 'delivery.driver-taken' })
    server.use(
      orderList([order()]),
      http.post('*/api/v1/delivery/pick/:id', async ({ request }) => {
        const body = await request.json()
        calls.push({ orderId: 'picked', body })
        return calls.length === 1 ? taken : HttpResponse.json({ message: 'ok', driverId: 'd1' })
      }),
    )
    show(<OwnerOrdersPage />)
    const drivers = await screen.findByLabelText('Driver for ORD-AAAA1111')
    await within(drivers).findByText('Kasun Fernando')
    await userEvent.selectOptions(drivers, 'd1')
    const status = screen.getByLabelText('Status of ORD-AAAA1111')
    await userEvent.selectOptions(status, 'confirmed')
    const asked = await screen.findByRole('dialog', { name: 'Picked by another restaurant' })
    expect(within(asked).getByText(/^Another restaurant picked Kasun Fernando a moment ago/)).toBeVisible()
    expect(status).toHaveValue('pending')
    expect(calls).toEqual([{ orderId: 'picked', body: { driverId: 'd1', knowingly: false } }])
    await userEvent.click(within(asked).getByRole('button', { name: 'Give to Kasun Fernando anyway' }))
    await expect.poll(() => calls.slice(1)).toEqual([
      { orderId: 'picked', body: { driverId: 'd1', knowingly: true } },
      { orderId: 'ORD-AAAA1111', body: { status: 'confirmed', from: 'pending', driverId: 'd1' } },
    ])
  })

  it('lists drivers with vehicle and a coarse distance', async () => {
    server.use(
      orderList([order()]),
      list('driver', [
        driver({ lastName: '', distance: 1000 }),
        driver({ _id: 'd2', id: 'd2', firstName: 'Amal', lastName: '', vehicleType: 'Van' }),
      ]),
    )
    show(<OwnerOrdersPage />)
    const drivers = await screen.findByLabelText('Driver for ORD-AAAA1111')
    expect(await within(drivers).findByText('Kasun · Bike · 1 to 2 km')).toBeInTheDocument()
    expect(within(drivers).getByText('Amal · Van')).toBeInTheDocument()
  })

  it('says why there are no drivers for a restaurant that is not verified', async () => {
    server.use(orderList([order()]), list('driver', []), list('restaurant', [restaurant({ verified: false })]))
    show(<OwnerOrdersPage />)
    expect(
      await screen.findByText('Drivers appear here once an administrator has verified your restaurant.'),
    ).toBeInTheDocument()
  })

  it('repeats the call for a delivery until the service knows the order', async () => {
    let asked = 0
    server.use(
      orderList([order()]),
      http.post('*/api/v1/delivery', () => {
        asked += 1
        return asked === 1 ? problem(404, 'There is no such order.') : HttpResponse.json({ message: 'ok' })
      }),
    )
    show(<OwnerOrdersPage />)
    const drivers = await screen.findByLabelText('Driver for ORD-AAAA1111')
    await within(drivers).findByText('Kasun Fernando')
    await userEvent.selectOptions(drivers, 'd1')
    await userEvent.selectOptions(screen.getByLabelText('Status of ORD-AAAA1111'), 'confirmed')
    expect(await screen.findByText('Delivery info saved to database.', undefined, { timeout: 10_000 })).toBeInTheDocument()
    expect(asked).toBe(2)
  })

  it('moves the rows of a ticket by one call, and puts all of them back if it fails', async () => {
    const other = order({ _id: 'x2', orderId: 'ORD-BBBB2222' })
    const elsewhere = order({ _id: 'x3', orderId: 'ORD-CCCC3333', restaurantId: 'r2' })
    const held: string[] = []
    let answer: (() => void) | undefined
    server.use(
      orderList([order(), other, elsewhere]),
      http.post('*/api/v1/delivery/pick/:id', ({ params }) => {
        held.push(String(params.id))
        return HttpResponse.json({ message: 'ok', driverId: 'd1' })
      }),
      http.put('*/api/v1/orders/ticket/:orderId', async ({ params, request }) => {
        calls.push({ orderId: params.orderId, body: await request.json() })
        await new Promise<void>((resolve) => { answer = resolve })
        return problem(503, 'Not ready.')
      }),
    )
    show(<OwnerOrdersPage />)
    const drivers = await screen.findByLabelText('Driver for ORD-AAAA1111')
    await within(drivers).findByText('Kasun Fernando')
    await userEvent.selectOptions(drivers, 'd1')
    const statusOf = (code: string) => screen.getByLabelText(`Status of ${code}`)
    await userEvent.selectOptions(statusOf('ORD-AAAA1111'), 'confirmed')
    await expect.poll(() => calls).toEqual([{ orderId: 'ORD-AAAA1111', body: { status: 'confirmed', from: 'pending', driverId: 'd1' } }])
    expect(held).toEqual(['ORD-AAAA1111', 'ORD-BBBB2222'])
    for (const code of ['ORD-AAAA1111', 'ORD-BBBB2222']) expect(statusOf(code)).toHaveValue('confirmed')
    expect(statusOf('ORD-CCCC3333')).toHaveValue('pending')
    answer?.()
    await waitFor(() => { expect(statusOf('ORD-BBBB2222')).toHaveValue('pending') })
    expect(statusOf('ORD-AAAA1111')).toHaveValue('pending')
  })

  it('says when a status could not be set', async () => {
    server.use(
      orderList([order({ status: 'confirmed', assignedDriver: 'd1' })]),
      http.put('*/api/v1/orders/ticket/:orderId', () => problem(503, 'Not ready.')),
    )
    show(<OwnerOrdersPage />)
    await userEvent.selectOptions(await screen.findByLabelText('Status of ORD-AAAA1111'), 'preparing')
    expect(await screen.findByText('Failed to update status or assign delivery.')).toBeInTheDocument()
    await waitFor(() => expect(screen.getByLabelText('Status of ORD-AAAA1111')).toHaveValue('confirmed'))
  })

  it('deletes an order once that is confirmed, and says why it could not', async () => {
    const deleted: unknown[] = []
    server.use(
      orderList([order()]),
      http.delete('*/api/v1/orders/delete/:id', ({ params }) => {
        deleted.push(params.id)
        return deleted.length === 1 ? problem(409, 'It is on its way.') : HttpResponse.json({ message: 'ok' })
      }),
    )
    show(<OwnerOrdersPage />)
    const remove = await screen.findByRole('button', { name: 'Delete ORD-AAAA1111' })
    await userEvent.click(remove)
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(deleted).toEqual([])
    await userEvent.click(remove)
    await userEvent.click(await screen.findByRole('button', { name: 'Yes, delete it!' }))
    expect(await screen.findByText('Failed to delete order.')).toBeInTheDocument()
    expect(screen.getByText('It is on its way.')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'OK' }))
    await userEvent.click(remove)
    await userEvent.click(await screen.findByRole('button', { name: 'Yes, delete it!' }))
    expect(await screen.findByText('Order has been deleted.')).toBeInTheDocument()
    expect(deleted).toEqual(['x1', 'x1'])
  })

  it.each([true, false])('says on a phone, too, whether an order is paid: %s', async (isPaid) => {
    server.use(orderList([order({ isPaid })]))
    show(<OwnerOrdersPage />)
    const card = await screen.findByRole('article', { name: 'Order ORD-AAAA1111' })
    expect(within(card).getByText(isPaid ? 'Paid' : 'Unpaid')).toBeVisible()
  })

  it.each(['a row', 'a card'])("names the order's restaurant in %s", async (form) => {
    if (form === 'a row') answerMedia('min-width')
    server.use(orderList([order({ restaurantName: 'Beach Wadiya' })]))
    show(<OwnerOrdersPage />)
    const shown = await screen.findByTestId('order-row')
    expect(shown.tagName).toBe(form === 'a row' ? 'TR' : 'ARTICLE')
    expect(within(shown).getByText('Beach Wadiya')).toBeVisible()
  })

  it('unfolds restaurant, address, name, phone and note, N/A where missing', async () => {
    server.use(orderList([order({ restaurantName: 'Beach Wadiya', note: 'Allergic to peanuts.' })]))
    show(<OwnerOrdersPage />)
    await userEvent.click(await screen.findByRole('button', { name: 'Show Description' }))
    expect(screen.getByText('Restaurant:').parentElement).toHaveTextContent('Restaurant: Beach Wadiya')
    expect(screen.getByText('12 Galle Face', { exact: false })).toBeVisible()
    expect(screen.getByText('N/A', { exact: false })).toBeVisible()
    expect(screen.getByText('Note to the kitchen:').parentElement).toHaveTextContent('Note to the kitchen: Allergic to peanuts.')
  })
})

describe('the board', () => {
  const card = (code: string) => screen.findByRole('article', { name: `Order ${code}` })

  async function board(...orders: Parameters<typeof order>[0][]) {
    localStorage.setItem('orderView', '"board"')
    server.use(orderList(orders.map((over) => order(over))), list('delivery', []))
    show(<OwnerOrdersPage />)
    await screen.findAllByRole('article')
  }

  it('has a column for each status', async () => {
    await board({}, { _id: 'x2', orderId: 'ORD-BBBB2222', status: 'preparing' })
    const column = screen.getByRole('region', { name: 'Preparing' })
    expect(within(column).getByText('ORD-BBBB2222')).toBeInTheDocument()
    expect(within(column).queryByText('ORD-AAAA1111')).toBeNull()
  })

  it('picks a driver and takes the next step by two keys', async () => {
    await board({})
    ;(await card('ORD-AAAA1111')).focus()
    await userEvent.keyboard('{Enter}')
    expect(await screen.findByText('Please select a driver before confirming.')).toBeInTheDocument()
    expect(calls).toEqual([])
    await screen.findByRole('option', { name: 'Kasun Fernando' })
    await userEvent.keyboard('1{Enter}')
    await expect.poll(() => calls).toEqual([{ orderId: 'ORD-AAAA1111', body: { status: 'confirmed', from: 'pending', driverId: 'd1' } }])
  })

  it('is walked through by arrows, past empty columns', async () => {
    await board(
      { _id: 'x3', orderId: 'ORD-CCCC3333', status: 'dispatched' },
      { _id: 'x2', orderId: 'ORD-BBBB2222', checkoutId: 'c2', createdAt: '2026-11-21T10:05:00Z' },
      { _id: 'x1', orderId: 'ORD-AAAA1111' },
    )
    await userEvent.tab()
    ;(await card('ORD-AAAA1111')).focus()
    await userEvent.keyboard('{ArrowDown}')
    expect(await card('ORD-BBBB2222')).toHaveFocus()
    await userEvent.keyboard('{ArrowRight}')
    expect(await card('ORD-CCCC3333')).toHaveFocus()
    await userEvent.keyboard('{ArrowLeft}i')
    expect(await card('ORD-AAAA1111')).toHaveFocus()
    expect(screen.getByText('Quantity: 2 · Price: Rs. 350.50')).toBeInTheDocument()
    expect(screen.getByText('Address:').parentElement).toHaveTextContent('Address: 12 Galle Face')
  })

  it('has one ticket for the orders of a checkout, takes their step together, and takes it back', async () => {
    await board(
      { status: 'confirmed', assignedDriver: 'd1', driverName: 'Kasun' },
      { _id: 'x2', orderId: 'ORD-BBBB2222', Item_name: 'Hoppers', quantity: 4, status: 'confirmed', assignedDriver: 'd1' },
    )
    const ticket = await card('ORD-AAAA1111, ORD-BBBB2222')
    expect(within(ticket).getByText('2 × Chicken Kottu')).toBeVisible()
    expect(within(ticket).getByText('4 × Hoppers')).toBeVisible()
    expect(within(ticket).getByText('Unpaid')).toBeVisible()
    ticket.focus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => calls).toEqual([{ orderId: 'ORD-AAAA1111', body: { status: 'preparing', from: 'confirmed' } }])
    const undo = await screen.findByRole('button', { name: 'Undo' })
    calls = []
    await userEvent.click(undo)
    await expect.poll(() => calls).toEqual([{ orderId: 'ORD-AAAA1111', body: { status: 'confirmed', from: 'preparing' } }])
    await waitFor(() => { expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull() })
  })

  it('shows what the customer wants of each dish, on the ticket and on paper', async () => {
    vi.spyOn(window, 'print').mockImplementation(() => undefined)
    await board(
      { note: 'No onions.\nAllergic to peanuts.' },
      { _id: 'x2', orderId: 'ORD-BBBB2222', Item_name: 'Hoppers', note: null },
    )
    const ticket = await card('ORD-AAAA1111, ORD-BBBB2222')
    const noted = within(ticket).getByText(/2 × Chicken Kottu/)
    expect(within(noted).getByTestId('note').textContent).toBe('No onions.\nAllergic to peanuts.')
    expect(within(ticket).getAllByTestId('note')).toHaveLength(1)
    ticket.focus()
    await userEvent.keyboard('i')
    expect(within(ticket).getAllByTestId('note')).toHaveLength(2)
    await userEvent.click(within(ticket).getByRole('button', { name: 'Print ORD-AAAA1111, ORD-BBBB2222' }))
    expect(await screen.findByTestId('paper')).toHaveTextContent('2 × Chicken KottuNo onions. Allergic to peanuts.2 × Hoppers')
  })

  it('has the orders of one restaurant where an owner has several', async () => {
    await board(
      { restaurantName: 'Upali’s' },
      { _id: 'x2', orderId: 'ORD-BBBB2222', checkoutId: 'c2', restaurantId: 'r2', restaurantName: 'Beach Wadiya' },
    )
    expect(within(await card('ORD-AAAA1111')).getByText('Upali’s · Nimali')).toBeVisible()
    await userEvent.selectOptions(screen.getByLabelText('Restaurant'), 'Beach Wadiya')
    expect(screen.queryByRole('article', { name: 'Order ORD-AAAA1111' })).toBeNull()
    expect(within(await card('ORD-BBBB2222')).getByText('Beach Wadiya · Nimali')).toBeVisible()
  })

  it('shows one column where there is no room for more, chosen by its status and remembered', async () => {
    answerMedia('max-width')
    const assigned = { status: 'confirmed', assignedDriver: 'd1' } as const
    const orders = [
      {},
      { _id: 'x2', orderId: 'ORD-BBBB2222', checkoutId: 'c2', ...assigned },
      { _id: 'x3', orderId: 'ORD-CCCC3333', checkoutId: 'c3', ...assigned },
    ]
    await board(...orders)
    const columns = () => screen.getAllByRole('region').flatMap((column) => column.dataset.column ?? [])
    expect(columns()).toEqual(['pending'])
    expect(screen.getByRole('radio', { name: 'Pending 1' })).toBeChecked()
    screen.getByRole('radio', { name: 'Pending 1' }).focus()
    await userEvent.keyboard('{ArrowRight}')
    expect(screen.getByRole('radio', { name: 'Confirmed 2' })).toBeChecked()
    expect(columns()).toEqual(['confirmed'])

    // The ticket that leaves the column hands the focus to the one in its place.
    ;(await card('ORD-BBBB2222')).focus()
    server.use(orderList(orders.map((over) => order(over)).map((one) => (one._id === 'x2' ? { ...one, status: 'preparing' } : one))))
    await userEvent.keyboard('{Enter}')
    await waitFor(() => { expect(screen.queryByRole('article', { name: 'Order ORD-BBBB2222' })).toBeNull() })
    expect(await card('ORD-CCCC3333')).toHaveFocus()

    cleanup()
    await board(...orders)
    expect(columns()).toEqual(['confirmed'])
  })

  it('says by when an order is to be answered', async () => {
    await board({ status: 'pending', answerBy: '2026-11-21T10:20:00Z' })
    expect(within(await card('ORD-AAAA1111')).getByText(`Answer by ${clockText('2026-11-21T10:20:00Z')}`)).toBeVisible()
  })

  it('says when food is promised, lets the age tick, and turns red after the promise', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-11-21T10:12:00Z'), shouldAdvanceTime: true })
    try {
      await board({ status: 'preparing', assignedDriver: 'd1' })
      const ticket = await card('ORD-AAAA1111')
      const age = within(ticket).getByTestId('age')
      const state = () => [age.textContent, ticket.dataset.urgency]
      expect(state()).toEqual(['12 min', 'calm'])
      expect(within(ticket).getByText(`Due ${clockText('2026-11-21T10:30:00Z')}`)).toBeVisible()
      await act(async () => { await vi.advanceTimersByTimeAsync(9 * 60_000) })
      expect(state()).toEqual(['21 min', 'urgent'])
      await act(async () => { await vi.advanceTimersByTimeAsync(12 * 60_000) })
      expect(state()).toEqual(['3 min late', 'late'])
      expect(age.dataset.urgency).toBe('late')
    } finally {
      vi.useRealTimers()
    }
  })
})
