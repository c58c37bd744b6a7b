import type { Locator, Page } from 'playwright-core'
import * as v from 'valibot'
import { expect } from 'vitest'

import { type Account, demo, mailsTo } from './accounts'
import { expectAccessible } from './axe'
import { expectNoHorizontalScroll } from './layout'
import { saveLooks } from './looks'
import { newDriver, newOrder, newVerifiedRestaurant } from './owner/restaurant'
import { call, eventually } from './platform'
import { confirmOrder } from './restaurants'
import { test } from './test'

const paymentsSchema = v.array(v.object({ bookingId: v.string(), status: v.string() }))
const figuresSchema = v.object({ revenue: v.number(), unpaid: v.number() })
const paidSchema = v.array(v.object({ orderId: v.string(), isPaid: v.boolean() }))

/** An order of a new restaurant that its customer has paid. */
async function paidOrder() {
  const shop = await newVerifiedRestaurant()
  const order = await newOrder(shop)
  const body = { bookingId: order.orderId, amount: order.totalAmount, paymentType: 'PayPal' }
  // The payment service consumes events of new orders, and the order service those of payments.
  await eventually(async () => await call('POST', '/api/payment', { token: shop.customer.token, body }).catch(() => undefined))
  await eventually(async () => {
    const orders = v.parse(paidSchema, await call('GET', '/api/v1/orders', { token: shop.owner.token }))
    return orders.find(({ orderId, isPaid }) => isPaid && orderId === order.orderId)
  })
  return { ...shop, order }
}

/** The state of a customer's payment of an order. */
async function paymentOf(customer: Account, orderId: string) {
  const payments = v.parse(paymentsSchema, await call('GET', '/api/v1/payment', { token: customer.token }))
  return payments.find(({ bookingId }) => bookingId === orderId)?.status
}

async function figuresOf(owner: Account) {
  return v.parse(figuresSchema, await call('GET', '/api/v1/orders/figures', { token: owner.token }))
}

/** Chooses the reason in the open dialog, and cancels. */
async function cancelBecause(page: Page, reason: string, note: string) {
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Rs. 750.00 goes back to the customer.').waitFor()
  await dialog.getByLabel(reason).check()
  await dialog.getByLabel('Note to the customer').fill(note)
  await dialog.getByText('If you paid for it, the money goes back to you.').waitFor()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await saveLooks(page, `dialog-${reason.replaceAll(' ', '-')}`)
  await dialog.getByRole('button', { name: 'Cancel and refund' }).click()
  await page.getByText(/is cancelled\. Rs\. 750\.00 goes back to the customer\./).waitFor()
}

test('an owner cancels a paid ticket, and its customer reads why and gets the money back', async ({ visit }) => {
  const { owner, customer, order } = await paidOrder()
  const orderPage = await visit(`/bookingconfirmation?checkout=${order.checkoutId}`, { as: customer })
  await orderPage.getByText('Thank you! Your order is placed.').waitFor()
  expect(await figuresOf(owner)).toEqual({ revenue: 750, unpaid: 0 })

  const board = await visit('/restaurantC/booking', { as: owner })
  await board.getByText('Board', { exact: true }).click()
  const ticket = board.getByRole('article', { name: `Order ${order.orderId}` })
  await ticket.getByText('Paid', { exact: true }).waitFor()
  await saveLooks(board, 'board')
  await ticket.getByRole('button', { name: `Cancel order ${order.orderId}` }).click()
  await cancelBecause(board, 'Out of a dish', 'We are out of rice tonight.')
  await ticket.waitFor({ state: 'detached' })

  // The open page follows.
  for (const text of ['Your order was cancelled.', 'Cancelled by the restaurant. The restaurant has run out of the dish.', '“We are out of rice tonight.”', 'If you paid for it, the money goes back to you.']) {
    await orderPage.getByText(text).first().waitFor()
  }
  await expectAccessible(orderPage)
  await saveLooks(orderPage, 'order-page')
  await orderPage.getByRole('button', { name: /^Notifications/ }).click()
  await orderPage.getByText(`Your order ${order.orderId} was cancelled: the restaurant has run out of the dish. If you paid for it, the money goes back to you.`).waitFor()
  await expect.poll(async () => await paymentOf(customer, order.orderId)).toBe('refunded')
  expect(await figuresOf(owner)).toEqual({ revenue: 0, unpaid: 0 })
  // Lines of a mail are folded (quoted-printable).
  const unfolded = () => mailsTo(customer.email).map((mail) => mail.replaceAll(/=\r?\n/g, ''))
  await expect.poll(() => unfolded().some((mail) => mail.includes('the restaurant has run out of the dish'))).toBe(true)

  const profile = await visit('/profile', { as: customer })
  const row = profile.locator(`[data-testid=cancelled-order][data-order="${order.orderId}"]`)
  await row.getByText('“We are out of rice tonight.”').waitFor()
  await saveLooks(profile, 'profile')
})

test('a customer who follows the driver reads that the order was cancelled', async ({ visit }) => {
  const [{ owner, customer, order }, driver] = [await paidOrder(), await newDriver()]
  const delivery = await confirmOrder(owner, order.orderId, driver)
  const page = await visit(`/track/${delivery._id}`, { as: customer })
  await page.getByText(order.orderId).first().waitFor()
  await call('POST', `/api/v1/orders/cancel/${order.orderId}`, { token: owner.token, body: { reason: 'closing_early' } })
  await page.getByText('Cancelled by the restaurant. The restaurant closes early today.').waitFor()
  await page.getByRole('heading', { name: 'Cancelled', level: 1 }).waitFor()
  await saveLooks(page, 'track')
  await expect.poll(async () => await paymentOf(customer, order.orderId)).toBe('refunded')
})

test('the board says that a customer cancelled a ticket, until the owner has seen it', async ({ visit }) => {
  const shop = await newVerifiedRestaurant()
  const { orderId } = await newOrder(shop)
  const page = await visit('/restaurantC/booking', { as: shop.owner, width: 390 })
  await page.getByText('Board', { exact: true }).click()
  await page.getByRole('article', { name: `Order ${orderId}` }).waitFor()
  await call('POST', `/api/v1/orders/cancel/${orderId}`, { token: shop.customer.token })
  const notice = page.getByTestId('cancelled-notice')
  await notice.getByText(`${orderId} was cancelled`).waitFor()
  await notice.getByText('Cancelled by the customer.').waitFor()
  await page.getByRole('article', { name: `Order ${orderId}` }).waitFor({ state: 'detached' })
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await page.getByRole('button', { name: `Seen: ${orderId}` }).click()
  await notice.waitFor({ state: 'detached' })
})

test('what is on its way is not cancelled, and says so', async ({ visit }) => {
  const [shop, driver] = [await newVerifiedRestaurant(), await newDriver()]
  const order = await newOrder(shop)
  await confirmOrder(shop.owner, order.orderId, driver)
  await call('PUT', `/api/v1/orders/status/${order.orderId}`, { token: shop.owner.token, body: { status: 'dispatched' } })
  const page = await visit('/restaurantC/booking', { as: shop.owner })
  await page.getByText("On its way: can't be cancelled.").waitFor()
  expect(await page.getByRole('button', { name: `Cancel order ${order.orderId}` }).isDisabled()).toBe(true)
  await saveLooks(page, 'table')
})

test('the refusal to delete a paid order leads an owner to its cancellation', async ({ visit }) => {
  const { owner, customer, order } = await paidOrder()
  const page = await visit('/restaurantC/booking', { as: owner })
  await page.getByRole('button', { name: `Delete ${order.orderId}` }).click()
  await page.getByRole('button', { name: 'Yes, delete it!' }).click()
  await page.getByText('The order is paid; please cancel it first.').waitFor()
  await saveLooks(page, 'delete-refused')
  await page.getByRole('button', { name: 'Cancel and refund' }).click()
  await cancelBecause(page, 'Too busy', 'Sorry!')
  await expect.poll(async () => await paymentOf(customer, order.orderId)).toBe('refunded')
})

/** Has an administrator try to delete a paid order, which is refused; returns its row. */
async function refusedDeletion(page: Page, orderId: string): Promise<Locator> {
  const row = page.getByRole('row', { name: `Order ${orderId}` })
  await row.getByText('Paid', { exact: true }).waitFor()
  await row.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Yes, delete it!' }).click()
  await page.getByText('The order is paid; please cancel it first.').waitFor()
  return row
}

test('an administrator cancels a paid order, whose deletion is refused', async ({ visit }) => {
  const { customer, order } = await paidOrder()
  const page = await visit(`/admin/booking?q=${order.orderId}`, { as: demo.admin })
  const row = await refusedDeletion(page, order.orderId)
  await page.getByRole('button', { name: 'OK', exact: true }).click()
  await saveLooks(page, 'admin')
  await row.getByRole('button', { name: `Cancel order ${order.orderId}` }).click()
  await cancelBecause(page, "Can't deliver there", 'The bridge is closed.')
  await row.locator('[data-status=cancelled]').waitFor()
  await expect.poll(async () => await paymentOf(customer, order.orderId)).toBe('refunded')
  const orderPage = await visit(`/bookingconfirmation?checkout=${order.checkoutId}`, { as: customer })
  await orderPage.getByText("Cancelled by Tiffin. The restaurant can't deliver to the address.").waitFor()
})

test('the refusal to delete a paid order leads an administrator to its cancellation', async ({ visit }) => {
  const { customer, order } = await paidOrder()
  const page = await visit(`/admin/booking?q=${order.orderId}`, { as: demo.admin })
  const row = await refusedDeletion(page, order.orderId)
  await page.getByRole('button', { name: 'Cancel and refund' }).click()
  await cancelBecause(page, "Can't deliver there", 'The bridge is closed.')
  await row.locator('[data-status=cancelled]').waitFor()
  await expect.poll(async () => await paymentOf(customer, order.orderId)).toBe('refunded')
})
