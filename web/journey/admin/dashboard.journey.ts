import type { Page } from 'playwright-core'
import { expect } from 'vitest'

import { Courier } from '../bench/fleet'
import { confirmOrder, newRestaurantWithItem, newOrders } from '../restaurants'
import { demo, newAccount } from '../accounts'
import { call } from '../platform'
import { test } from '../test'

function figure(page: Page, label: string) {
  return page.locator(`[data-figure="${label}"] dd`)
}

async function count(page: Page, label: string): Promise<number> {
  return Number.parseInt((await figure(page, label).innerText()).replaceAll(',', ''), 10)
}

test('figures and map follow what happens, without a reload', async ({ visit }) => {
  const { owner, item } = await newRestaurantWithItem()
  const [customer, driver] = [await newAccount(), await newAccount('delivery')]
  await call('PUT', `/api/v1/driver/${driver.id}`, { token: driver.token, body: { isAvailable: true } })
  const page = await visit('/admin/', { as: demo.admin })
  for (const label of ['Pending', 'Active deliveries', 'Orders to approve']) {
    await expect.poll(async () => await count(page, label), { timeout: 20_000 }).not.toBeNaN()
  }
  const [pending, active] = [await count(page, 'Pending'), await count(page, 'Active deliveries')]

  const [order] = await newOrders(customer, [item._id])
  if (order === undefined) throw new Error('nothing was ordered')
  await expect.poll(async () => await count(page, 'Pending'), { timeout: 10_000 }).toBe(pending + 1)
  const delivery = await confirmOrder(owner, order.orderId, driver)
  await expect.poll(async () => await count(page, 'Active deliveries'), { timeout: 10_000 }).toBe(active + 1)
  await call('PUT', `/api/v1/delivery/update/${delivery._id}`, { token: driver.token, body: { status: 'on the way' } })

  // The driver moves: the canvas takes the positions, and the table leads to the marker.
  const canvas = page.getByTestId('fleet')
  await canvas.scrollIntoViewIfNeeded()
  const courier = new Courier(driver.token, delivery._id)
  await courier.connect()
  const driving = setInterval(() => { courier.drive() }, 500)
  await expect.poll(async () => Number(await canvas.getAttribute('data-positions')), { timeout: 15_000 }).toBeGreaterThan(2)
  await page.getByLabel('Find a delivery').fill(order.orderId)
  await page.getByRole('button', { name: `Show on map: ${order.orderId}` }).click()
  const details = page.getByRole('region', { name: `Delivery of ${order.orderId}` }).first()
  await details.getByText('On the way').waitFor()
  // The table is below the map: the reader is brought to it, by keyboard too.
  await expect.poll(() => canvas.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top < window.innerHeight && bottom > 0
  })).toBe(true)
  await expect.poll(() => details.evaluate((element) => element === document.activeElement)).toBe(true)
  await details.getByText('Nimali Perera').waitFor()
  await details.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => page.getByRole('button', { name: `Show on map: ${order.orderId}` }).evaluate((element) => element === document.activeElement)).toBe(true)
  clearInterval(driving)
  courier.close()

  await call('PUT', `/api/v1/delivery/update/${delivery._id}`, { token: driver.token, body: { status: 'delivered' } })
  await expect.poll(async () => await count(page, 'Active deliveries'), { timeout: 10_000 }).toBe(active)
})
