import * as v from 'valibot'
import { expect } from 'vitest'

import { demo, mailsTo } from './accounts'
import { expectAccessible } from './axe'
import { expectNoHorizontalScroll } from './layout'
import { saveLooks } from './looks'
import { newOrder, newVerifiedRestaurant } from './owner/restaurant'
import { call, eventually } from './platform'
import { test } from './test'

const ordersSchema = v.array(v.object({ orderId: v.string(), isPaid: v.boolean(), refunds: v.array(v.object({ isMade: v.boolean() })) }))
const figuresSchema = v.object({ revenue: v.number(), unpaid: v.number() })

/** An order of a new restaurant that its customer has paid: Rs. 750. */
async function paidOrder() {
  const shop = await newVerifiedRestaurant()
  const order = await newOrder(shop)
  const body = { bookingId: order.orderId, amount: order.totalAmount, paymentType: 'PayPal' }
  // The payment service consumes events of new orders, and the order service those of payments.
  await eventually(async () => await call('POST', '/api/payment', { token: shop.customer.token, body }).catch(() => undefined))
  const read = async () => {
    const orders = v.parse(ordersSchema, await call('GET', '/api/v1/orders', { token: shop.owner.token }))
    return orders.find(({ orderId }) => orderId === order.orderId)
  }
  await eventually(async () => ((await read())?.isPaid === true ? true : undefined))
  return { ...shop, order, read }
}

test('an owner refunds a part, and the customer reads why everywhere and pays nothing again', async ({ visit }) => {
  const { owner, customer, order, read } = await paidOrder()
  const orderPage = await visit(`/bookingconfirmation?checkout=${order.checkoutId}`, { as: customer })
  await orderPage.getByText('Thank you! Your order is placed.').waitFor()

  const page = await visit('/restaurantC/booking', { as: owner, width: 390 })
  await page.getByRole('button', { name: `Refund order ${order.orderId}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('A part (at most Rs. 375.00)').waitFor()
  await dialog.getByLabel('Amount of the part').fill('300')
  await dialog.getByLabel('Missing item').check()
  await dialog.getByLabel('Note to the customer').fill('The sambol was left out.')
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await saveLooks(page, 'dialog')
  await dialog.getByRole('button', { name: 'Refund Rs. 300.00' }).click()
  await page.getByText(`Rs. 300.00 of ${order.orderId} is being refunded.`).waitFor()

  // The open page follows.
  await orderPage.getByText('Rs. 300.00 refunded: Missing item').waitFor()
  await expectAccessible(orderPage)
  await saveLooks(orderPage, 'order-page')
  const said = `For your order ${order.orderId}, Rs. 300.00 is refunded: a dish was missing. The money comes back the way you paid.`
  await orderPage.getByRole('button', { name: /^Notifications/ }).click()
  await orderPage.getByText(said).waitFor()
  const unfolded = () => mailsTo(customer.email).map((mail) => mail.replaceAll(/=\r?\n/g, ''))
  await expect.poll(() => unfolded().some((mail) => mail.includes('a dish was missing'))).toBe(true)
  expect(await read()).toMatchObject({ isPaid: true, refunds: [{ isMade: true }] })
  expect(v.parse(figuresSchema, await call('GET', '/api/v1/orders/figures', { token: owner.token }))).toEqual({ revenue: 450, unpaid: 0 })

  const payment = await visit(`/payment?checkout=${order.checkoutId}`, { as: customer })
  await payment.getByText('Rs. 300.00 refunded: Missing item').waitFor()
  expect(await payment.getByRole('button', { name: /^Pay/ }).count()).toBe(0)
  await expectAccessible(payment)
  await saveLooks(payment, 'payment')
})

test('an administrator refunds a whole order from the list of payments', async ({ visit }) => {
  const { customer, order, read } = await paidOrder()
  const page = await visit(`/admin/payment?q=${order.orderId}`, { as: demo.admin })
  const row = page.getByRole('row', { name: `Payment for ${order.orderId}` })
  await row.getByRole('button', { name: `Refund order ${order.orderId}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('The whole order (Rs. 750.00)').waitFor()
  await dialog.getByLabel('Not delivered').check()
  await expectAccessible(page)
  await saveLooks(page, 'admin-dialog')
  await dialog.getByRole('button', { name: 'Refund Rs. 750.00' }).click()
  await row.getByText('Refunded', { exact: true }).waitFor()
  await expect.poll(async () => (await read())?.refunds).toMatchObject([{ isMade: true }])
  expect((await read())?.isPaid).toBe(true)
  const profile = await visit('/profile', { as: customer })
  await profile.getByText('Rs. 750.00 refunded: Not delivered').first().waitFor()
})
