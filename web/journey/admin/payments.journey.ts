import { readFileSync } from 'node:fs'

import { expect } from 'vitest'

import { newRestaurantWithItem, newOrders } from '../restaurants'
import { demo, newAccount } from '../accounts'
import { call, eventually } from '../platform'
import { seen } from '../spec/seen'
import { refuseCall, test } from '../test'

test('payments are listed', async ({ visit }) => {
  const { item } = await newRestaurantWithItem()
  const customer = await newAccount()
  const [order] = await newOrders(customer, [item._id])
  if (order === undefined) throw new Error('nothing was ordered')
  const body = { bookingId: order.orderId, amount: order.totalAmount, paymentType: 'PayPal' }
  // The payment service consumes events of new orders.
  await eventually(async () => await call('POST', '/api/payment', { token: customer.token, body }).catch(() => undefined))
  const page = await visit(`/admin/payment?q=${order.orderId}`, { as: demo.admin })
  await seen(page, 'admin payments', { route: 'all', column: 'all' })
  const row = page.getByRole('row', { name: `Payment for ${order.orderId}` })
  for (const text of [order.orderId, 'Rs. 750.00', 'PayPal', 'Captured']) await row.getByText(text, { exact: true }).waitFor()
})

test('a declined card does not look like a payment, in the table and in the export', async ({ visit }) => {
  const { item } = await newRestaurantWithItem()
  const customer = await newAccount()
  const [order] = await newOrders(customer, [item._id])
  if (order === undefined) throw new Error('nothing was ordered')
  const card = { paymentType: 'Card', cardNumber: '4000000000000002', cvv: '123', expiry: '12/39' }
  const declined = async () => await call('POST', '/api/v1/payment', { token: customer.token, body: { bookingId: order.orderId, amount: order.totalAmount, ...card } }).catch(String)
  await eventually(async () => (String(await declined()).includes('payment.declined') ? true : undefined))
  const page = await visit(`/admin/payment?q=${order.orderId}`, { as: demo.admin })
  const row = page.getByRole('row', { name: `Payment for ${order.orderId}` }).first()
  await row.getByText('Declined', { exact: true }).waitFor()
  await row.getByText('Visa ending in 0002').waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download CSV' }).click()])
  const [head, ...rows] = readFileSync(await download.path(), 'utf8').trim().split('\r\n')
  expect(head).toContain('Status,Date,Refunded (Rs.),Card')
  expect(rows.find((line) => line.includes(order.orderId))).toMatch(/Declined,.*,0,Visa ending in 0002/)

  const orders = await visit(`/admin/booking?q=${order.orderId}`, { as: demo.admin })
  const orderRow = orders.getByRole('row', { name: `Order ${order.orderId}` })
  await orderRow.getByText('Unpaid', { exact: true }).waitFor()
  await orderRow.locator('[data-status=pending]').waitFor()
})

test('payments are on their way, missing, or not to be had', async ({ visit }) => {
  const page = await visit('/admin/', { as: demo.admin })
  let answer: () => void = () => undefined
  const held = new Promise<void>((resolve) => { answer = resolve })
  await page.route('**/api/v1/payment?**', async (route) => {
    await held
    await route.fallback()
  })
  await page.getByRole('link', { name: 'Payments' }).click()
  await seen(page, 'admin payments', { text: ['Loading payments...'] })
  answer()
  await page.getByLabel('Search').fill('no such payment')
  await seen(page, 'admin payments', { text: ['No payments found.'] })
  await refuseCall(page, 'GET', '/api/v1/payment?**', { status: 403 }, true)
  await page.goto('/admin/payment')
  await seen(page.locator('.mantine-Notification-root'), 'admin payments', { text: ['Failed to fetch payment records.'] })
})
