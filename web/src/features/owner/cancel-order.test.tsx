import { driver, list, order, orderList, platform, problem, restaurant } from '@test/platform'
import { show, signIn } from '@test/render'
import { notifications } from '@mantine/notifications'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { OwnerOrdersPage } from './OwnerOrdersPage'

const server = platform()
let calls: { orderId: unknown; body: unknown }[] = []

const cancelling = http.post('*/api/v1/orders/cancel/:orderId', async ({ params, request }) => {
  calls.push({ orderId: params.orderId, body: await request.json() })
  return HttpResponse.json({ message: 'ok', order: order({ status: 'cancelled' }) })
})

beforeEach(() => {
  calls = []
  signIn({ role: 'restaurant' })
  server.use(list('restaurant', [restaurant()]), list('driver', [driver()]), list('delivery', []), cancelling)
})
afterEach(() => {
  notifications.clean()
  localStorage.clear()
})

/** The page, and its dialog once `open` was pressed. */
async function dialogAfter(open: string) {
  show(<OwnerOrdersPage />)
  await userEvent.click(await screen.findByRole('button', { name: open }))
  return await screen.findByRole('dialog')
}

describe('cancelling an order', () => {
  it('says what goes back and what the customer reads, and sends the reason', async () => {
    server.use(orderList([order({ isPaid: true })]))
    const dialog = await dialogAfter('Cancel order ORD-AAAA1111')
    expect(within(dialog).getByText('Rs. 701.00 goes back to the customer.')).toBeVisible()
    await userEvent.click(within(dialog).getByLabelText('Out of a dish'))
    await userEvent.type(within(dialog).getByLabelText('Note to the customer'), 'No rice today.')
    const reads = within(dialog).getByRole('region', { name: 'The customer reads' })
    expect(within(reads).getByText('Cancelled by the restaurant. The restaurant has run out of the dish.')).toBeVisible()
    expect(within(reads).getByText('“No rice today.”')).toBeVisible()
    expect(within(reads).getByText('If you paid for it, the money goes back to you.')).toBeVisible()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel and refund' }))
    expect(await screen.findByText('ORD-AAAA1111 is cancelled. Rs. 701.00 goes back to the customer.')).toBeVisible()
    expect(calls).toEqual([{ orderId: 'ORD-AAAA1111', body: { reason: 'sold_out', note: 'No rice today.' } }])
    await waitFor(() => { expect(screen.queryByRole('dialog')).toBeNull() })
  })

  it('begins at the way back, and wants a reason', async () => {
    server.use(orderList([order()]))
    const dialog = await dialogAfter('Cancel order ORD-AAAA1111')
    expect(within(dialog).getByText(/^The order is not paid\./)).toBeVisible()
    await waitFor(() => { expect(within(dialog).getByRole('button', { name: 'Keep the order' })).toHaveFocus() })
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    expect(await within(dialog).findByText('Please choose a reason.')).toBeVisible()
    expect(calls).toEqual([])
    await userEvent.click(within(dialog).getByLabelText('Too busy'))
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.poll(() => calls).toEqual([{ orderId: 'ORD-AAAA1111', body: { reason: 'too_busy' } }])
  })

  it('shows a refusal and stays open', async () => {
    const refusal = problem(409, "The order is on its way; it can't be cancelled any more.", { code: 'order.on-its-way' })
    server.use(orderList([order()]), http.post('*/api/v1/orders/cancel/:orderId', () => refusal))
    const dialog = await dialogAfter('Cancel order ORD-AAAA1111')
    await userEvent.click(within(dialog).getByLabelText('Something else'))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel order' }))
    expect(await within(dialog).findByText("The order is on its way; it can't be cancelled any more.")).toBeVisible()
  })

  it.each([
    ['dispatched', "On its way: can't be cancelled."],
    ['delivered', "Delivered: can't be cancelled."],
  ] as const)('is refused with the reason once it is %s', async (status, why) => {
    server.use(orderList([order({ status, assignedDriver: 'd1' })]))
    show(<OwnerOrdersPage />)
    expect(await screen.findByRole('button', { name: 'Cancel order ORD-AAAA1111' })).toBeDisabled()
    expect(screen.getByText(why)).toBeVisible()
  })

  it('is not offered of a cancelled order, whose details have the reason', async () => {
    const cancellation = { by: 'administrator', reason: 'other', note: 'Closed for a funeral.' } as const
    server.use(orderList([order({ status: 'cancelled', cancellation })]))
    show(<OwnerOrdersPage />)
    await userEvent.click(await screen.findByRole('button', { name: 'Show Description' }))
    expect(screen.getByText('Cancelled by Tiffin.')).toBeVisible()
    expect(screen.getByText('“Closed for a funeral.”')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Cancel order ORD-AAAA1111' })).toBeNull()
  })

  it('is the way on from the refusal to delete a paid order', async () => {
    const refusal = problem(409, 'The order is paid; please cancel it first.', { code: 'order.paid' })
    server.use(orderList([order({ isPaid: true })]), http.delete('*/api/v1/orders/delete/:id', () => refusal))
    show(<OwnerOrdersPage />)
    await userEvent.click(await screen.findByRole('button', { name: 'Delete ORD-AAAA1111' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Yes, delete it!' }))
    expect(await screen.findByText('The order is paid; please cancel it first.')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Cancel and refund' }))
    const dialog = await screen.findByRole('dialog', { name: 'Cancel the order?' })
    expect(within(dialog).getByText('Rs. 701.00 goes back to the customer.')).toBeVisible()
  })

  it('cancels all orders of a ticket at once, by a key', async () => {
    localStorage.setItem('orderView', '"board"')
    server.use(orderList([order({ isPaid: true }), order({ _id: 'x2', orderId: 'ORD-BBBB2222', totalAmount: 99, isPaid: true })]))
    show(<OwnerOrdersPage />)
    const ticket = await screen.findByRole('article', { name: 'Order ORD-AAAA1111, ORD-BBBB2222' })
    ticket.focus()
    await userEvent.keyboard('c')
    const dialog = await screen.findByRole('dialog', { name: 'Cancel 2 orders?' })
    expect(within(dialog).getByText('Rs. 800.00 goes back to the customer.')).toBeVisible()
    await userEvent.click(within(dialog).getByLabelText('Closing early'))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel and refund' }))
    const body = { reason: 'closing_early' }
    await expect.poll(() => calls).toEqual([{ orderId: 'ORD-AAAA1111', body }, { orderId: 'ORD-BBBB2222', body }])
  })
})
