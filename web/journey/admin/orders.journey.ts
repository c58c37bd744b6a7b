import { expect } from 'vitest'

import { requestsWhileIdle } from '../idle-requests'
import { newRestaurantWithItem, newOrders } from '../restaurants'
import { demo, login, newAccount } from '../accounts'
import { call, eventually } from '../platform'
import { seen } from '../spec/seen'
import { refuseCall, test } from '../test'

async function newOrder() {
  const { item } = await newRestaurantWithItem()
  const customer = await newAccount()
  const [order] = await newOrders(customer, [item._id])
  if (order === undefined) throw new Error('nothing was ordered')
  return { order, customer, item }
}

test('orders are looked into and approved', async ({ visit }) => {
  const { order, item } = await newOrder()
  const page = await visit(`/admin/booking?q=${order.orderId}`, { as: demo.admin })
  await seen(page, 'admin orders', { route: 'all', column: 'all' })
  const row = page.getByRole('row', { name: `Order ${order.orderId}` })
  await seen(row, 'admin orders', { text: ['Pending'], button: ['Show Description', 'Approve', 'View Items', 'Delete'] })

  await row.getByRole('button', { name: 'Show Description' }).click()
  await row.getByRole('button', { name: 'View Items' }).click()
  await seen(row, 'admin orders', { button: ['Hide Description', 'Hide Items'] })
  for (const fact of ['12 Galle Face, Colombo', 'Nimali Perera', '0771234567', item.name, 'Quantity: 1 · Price: Rs. 750.00']) {
    await page.getByText(fact, { exact: true }).first().waitFor()
  }

  await refuseCall(page, 'PUT', '/api/v1/orders/isApprove/**', { status: 503 })
  await row.getByRole('button', { name: 'Approve' }).click()
  await seen(page, 'admin orders', { text: ['Failed to approve order'] })
  await row.getByRole('button', { name: 'Approve' }).click()
  await seen(page, 'admin orders', { text: ['Order approved successfully', 'Approved'] })
  await expect.poll(() => row.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true)
})

test('orders that wait for approval are looked at and approved together', async ({ visit }) => {
  const { item } = await newRestaurantWithItem()
  const customer = await newAccount()
  const orders = [...(await newOrders(customer, [item._id])), ...(await newOrders(customer, [item._id]))]
  const [first, second] = orders
  if (first === undefined || second === undefined) throw new Error('two orders')
  const page = await visit(`/admin/booking?q=${customer.email}&isApprove=false`, { as: demo.admin })
  await page.getByRole('row', { name: `Order ${first.orderId}` }).waitFor()
  await page.getByRole('button', { name: 'Approve 2 shown' }).click()
  const dialog = page.getByRole('dialog', { name: 'Approve 2 orders?' })
  for (const { orderId } of orders) await dialog.getByText(orderId).waitFor()
  await dialog.getByText('Rs. 1,500.00').waitFor()
  // One of them fails, and says which.
  await refuseCall(page, 'PUT', `/api/v1/orders/isApprove/${first.orderId}`, { status: 503 })
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByText(`Not approved: ${first.orderId}. The others are.`).waitFor()
  await page.getByRole('row', { name: `Order ${second.orderId}` }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Approve 1 shown' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByText('1 order approved').waitFor()
  await page.getByRole('button', { name: 'Approve 0 shown' }).waitFor()
  expect(await page.getByRole('button', { name: 'Approve 0 shown' }).isDisabled()).toBe(true)
})

test('an order is deleted only after a yes', async ({ visit }) => {
  const { order } = await newOrder()
  const page = await visit(`/admin/booking?q=${order.orderId}`, { as: demo.admin })
  const row = page.getByRole('row', { name: `Order ${order.orderId}` })
  const remove = row.getByRole('button', { name: 'Delete' })
  await remove.click()
  await seen(page, 'admin orders', { text: ['Are you sure?', "You won't be able to revert this!", 'Yes, delete it!'] })
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await row.waitFor()

  await refuseCall(page, 'DELETE', '/api/v1/orders/delete/**', { status: 503 })
  await remove.click()
  await page.getByRole('button', { name: 'Yes, delete it!' }).click()
  await seen(page, 'admin orders', { text: ['Error!', 'Failed to delete order.'] })
  await page.getByRole('button', { name: 'OK', exact: true }).click()
  await remove.click()
  await page.getByRole('button', { name: 'Yes, delete it!' }).click()
  await seen(page, 'admin orders', { text: ['Deleted!', 'Order has been deleted.'] })
  await page.getByRole('button', { name: 'OK', exact: true }).click()
  await row.waitFor({ state: 'detached' })
})

test('what is missing of an order says so', async ({ visit }) => {
  const { order, customer } = await newOrder()
  await call('POST', `/api/v1/orders/cancel/${order.orderId}`, { token: customer.token, body: {} })
  // The account may be deleted once the user service knows that no order is under way.
  await eventually(async () => await call('DELETE', `/api/v1/users/${customer.id}`, { token: customer.token }).catch(() => undefined))
  const page = await visit(`/admin/booking?q=${order.orderId}`, { as: demo.admin })
  const row = page.getByRole('row', { name: `Order ${order.orderId}` })
  await row.getByRole('button', { name: 'Show Description' }).click()
  await seen(page, 'admin orders', { text: ['N/A'] })
})

test('an order of another browser appears live, and nothing is polled', async ({ visit }) => {
  const { item, customer } = await newOrder()
  const page = await visit('/admin/booking', { as: demo.admin })
  await page.getByRole('row').nth(1).waitFor()
  const [order] = await newOrders(customer, [item._id])
  await page.getByRole('row', { name: `Order ${order?.orderId ?? ''}` }).waitFor()
  expect(await requestsWhileIdle([page], 25_000)).toEqual([])
  const admin = await login(demo.admin)
  await call('PUT', `/api/v1/orders/isApprove/${order?.orderId ?? ''}`, { token: admin.token, body: {} })
  await page.getByRole('row', { name: `Order ${order?.orderId ?? ''}` }).getByText('Approved').waitFor()
})
