import type { Page } from 'playwright-core'
import * as v from 'valibot'
import { expect } from 'vitest'

import { expectAccessible } from '../axe'
import { expectNoHorizontalScroll } from '../layout'
import { call, deliverySchema } from '../platform'
import { confirmOrder, newOrders } from '../restaurants'
import { test } from '../test'
import { newDriver, newVerifiedRestaurant } from './restaurant'

const COLOMBO = { latitude: 6.9147, longitude: 79.8501, accuracy: 8 }

/** An order whose door is known. */
async function newOrder({ customer, item }: Awaited<ReturnType<typeof newVerifiedRestaurant>>) {
  const [order] = await newOrders(customer, [item._id], { lat: COLOMBO.latitude, lng: COLOMBO.longitude })
  if (order === undefined) throw new Error('nothing was ordered')
  return order
}

async function openSuggestions(page: Page, code: string) {
  await page.getByRole('button', { name: `Suggest a driver: ${code}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('region', { name: 'First at the door' }).waitFor()
  return dialog
}

/** The names of the drivers of an owner's deliveries. */
async function driverNames(token: string) {
  const deliveries = v.parse(v.array(v.object({ ...deliverySchema.entries, driverName: v.string() })), await call('GET', '/api/v1/delivery', { token }))
  return deliveries.map(({ driverName }) => driverName.split(' ')[0])
}

test('the driver who is first at the door is one touch away', async ({ visit }) => {
  const [shop] = [await newVerifiedRestaurant(), await newDriver()]
  const { orderId } = await newOrder(shop)
  const page = await visit('/restaurantC/booking', { as: shop.owner, width: 390 })
  const dialog = await openSuggestions(page, orderId)
  const best = dialog.getByRole('region', { name: 'First at the door' })
  await best.getByText(/^At the door in (about )?\d+ min$/).waitFor()
  await dialog.getByRole('group', { name: 'All drivers, the nearest first' }).waitFor()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  const give = best.getByRole('button', { name: /^Give to / })
  const name = (await give.innerText()).replace('Give to ', '')
  await give.click()
  await page.getByText('Order status updated to confirmed').waitFor()
  await expect.poll(() => driverNames(shop.owner.token)).toEqual([name])
})

test('a driver declines, and the owner gives the order to the next one', async ({ visit }) => {
  const [shop, driver] = [await newVerifiedRestaurant(), await newDriver({ firstName: 'Tilakasiri' })]
  await newDriver()
  const { orderId } = await newOrder(shop)
  const page = await visit('/restaurantC/booking', { as: shop.owner })
  await page.getByText('Board', { exact: true }).click()
  await page.getByRole('article', { name: `Order ${orderId}` }).focus()
  await page.keyboard.press('s')
  const all = page.getByRole('dialog').getByRole('group', { name: 'All drivers, the nearest first' })
  await all.getByRole('button', { name: 'Give to Tilakasiri' }).first().click()
  await page.getByRole('region', { name: 'Confirmed' }).getByRole('article', { name: `Order ${orderId}` }).waitFor()

  const trip = await visit('/driver/track', { as: driver, width: 390, permissions: ['geolocation'], geolocation: COLOMBO })
  await trip.getByRole('button', { name: `Decline ${orderId}` }).click()
  await trip.getByText('Decline this delivery?').waitFor()
  await expectAccessible(trip)
  await trip.getByRole('button', { name: 'Yes, decline' }).click()
  await trip.getByText('Declined: the restaurant looks for another driver.').waitFor()

  // The hint moves the owner's open board.
  await page.getByText(/^Tilakasiri .*declined$/).waitFor()
  const dialog = await openSuggestions(page, orderId)
  await dialog.getByRole('region', { name: 'First at the door' }).getByRole('button', { name: /^Give to / }).click()
  await expect.poll(async () => (await driverNames(shop.owner.token))[0]).not.toBe('Tilakasiri')
  await page.getByText(/declined$/).waitFor({ state: 'detached' })
  await trip.getByText('No deliveries yet.').waitFor()
})

test("the table asks before it confirms with a driver who has another restaurant's order", async ({ visit }) => {
  const [shop, other, driver] = [await newVerifiedRestaurant(), await newVerifiedRestaurant(), await newDriver({ firstName: 'Piyasena' })]
  await confirmOrder(other.owner, (await newOrder(other)).orderId, driver)
  const { orderId } = await newOrder(shop)
  const page = await visit('/restaurantC/booking', { as: shop.owner, width: 390 })
  await page.getByLabel(`Driver for ${orderId}`).selectOption(driver.id)
  await page.getByLabel(`Status of ${orderId}`).selectOption('confirmed')
  const dialog = page.getByRole('dialog', { name: 'Picked by another restaurant' })
  await dialog.getByText(/^Another restaurant picked Piyasena/).waitFor()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await dialog.getByRole('button', { name: /^Give to Piyasena.* anyway$/ }).click()
  await page.getByText('Order status updated to confirmed').waitFor()
  await expect.poll(() => driverNames(shop.owner.token)).toEqual(['Piyasena'])
})
