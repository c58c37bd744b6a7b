import type { Page } from 'playwright-core'
import { expect } from 'vitest'

import { expectAccessible } from '../axe'
import { confirmOrder } from '../restaurants'
import { expectNoHorizontalScroll } from '../layout'
import { newDriver, newVerifiedRestaurant, newOrder } from '../owner/restaurant'
import { newAccount } from '../accounts'
import { seen } from '../spec/seen'
import { holdCalls, test } from '../test'

const COLOMBO = { latitude: 6.9147, longitude: 79.8501, accuracy: 8 }
const here = { permissions: ['geolocation'], geolocation: COLOMBO }

/** A driver with a delivery under way. */
async function newTrip() {
  const [shop, driver] = [await newVerifiedRestaurant(), await newDriver()]
  const order = await newOrder(shop)
  await confirmOrder(shop.owner, order.orderId, driver)
  return { shop, driver, code: order.orderId }
}

function rowOf(page: Page, code: string) {
  return page.locator(`[data-testid=delivery-row][data-order="${code}"]`)
}

test('the table of deliveries sets status and location', async ({ visit }) => {
  const { driver, code } = await newTrip()
  const page = await visit('/driver/track', { as: driver, ...here })
  await rowOf(page, code).waitFor()
  await seen(page, 'driver deliveries', { route: 'all', column: 'all', option: 'all', button: 'all' })
  await seen(page, 'driver deliveries', { text: ['Delivery Tracking'] })

  await page.getByRole('button', { name: `Update Location of ${code}` }).click()
  await page.getByRole('status').getByText('Update Location').waitFor()
  await rowOf(page, code).getByText('6.91470').waitFor()
  await rowOf(page, code).getByText('79.85010').waitFor()
  for (const status of ['on the way', 'delivered', 'picked up']) {
    await page.getByLabel(`Status of ${code}`).selectOption(status)
    await page.locator(`[data-order="${code}"][data-status="${status}"]`).waitFor()
    await expect.poll(async () => await page.getByLabel(`Status of ${code}`).isEnabled()).toBe(true)
  }
})

test('a device without geolocation says so', async ({ visit }) => {
  const { driver, code } = await newTrip()
  const page = await visit('/driver/track', { as: driver })
  await page.addInitScript(() => { Reflect.deleteProperty(Navigator.prototype, 'geolocation') })
  await page.reload()
  await page.getByRole('button', { name: `Update Location of ${code}` }).click()
  await seen(page, 'driver deliveries', { text: ['Geolocation not supported'] })
})

test('a new assignment is announced, and its route is shown on the map', async ({ visit }) => {
  const [shop, driver] = [await newVerifiedRestaurant(), await newDriver()]
  const page = await visit('/driver/track', { as: driver, width: 390, ...here, permissions: ['geolocation', 'notifications'] })
  await page.getByText('No deliveries yet.').waitFor()
  await page.evaluate(() => {
    const shown: string[] = []
    Reflect.set(window, 'journeyShown', shown)
    const Shown = function (title: string) {
      shown.push(title)
    }
    Reflect.set(window, 'Notification', Object.assign(Shown, { permission: 'granted' }))
  })
  const { orderId } = await newOrder(shop)
  await confirmOrder(shop.owner, orderId, driver)
  const message = `New delivery ${orderId}: ${shop.item.name}`
  await page.getByText(message).waitFor()
  await expect.poll(async () => await page.evaluate(() => Reflect.get(window, 'journeyShown'))).toEqual([message])

  const trip = page.getByTestId('trip')
  await trip.getByLabel(/^Map of the trip/).waitFor()
  await trip.locator('[data-kind=restaurant]').first().waitFor()
  const stops = trip.getByTestId('stop')
  await expect.poll(() => stops.count()).toBe(2)
  await stops.first().getByText(shop.restaurant.name).waitFor()
  await stops.first().getByRole('button', { name: 'Picked up, on the way' }).click()
  await expect.poll(async () => await stops.count()).toBe(1)
  await stops.first().getByText('12 Galle Face, Colombo').waitFor()
  await stops.first().getByRole('button', { name: 'Delivered' }).click()
  await trip.waitFor({ state: 'detached' })
  await page.locator(`[data-order="${orderId}"][data-status=delivered]`).waitFor()
})

test('positions are streamed, kept while offline, and acknowledged', async ({ visit }) => {
  const { driver } = await newTrip()
  const page = await visit('/driver/track', { as: driver, ...here })
  await page.evaluate(() => {
    Reflect.set(window, 'journeyLocks', 0)
    if (!('wakeLock' in navigator)) return
    const request = navigator.wakeLock.request.bind(navigator.wakeLock)
    Reflect.set(navigator.wakeLock, 'request', async () => {
      Reflect.set(window, 'journeyLocks', Number(Reflect.get(window, 'journeyLocks')) + 1)
      return await request('screen')
    })
  })
  await page.getByRole('switch', { name: 'Share live location' }).check({ force: true })
  const said = page.getByTestId('sharing-sent')
  await said.getByText(/1 position sent, the last at .+: 6\.91470, 79\.85010\./).waitFor()
  await said.getByText(/1 acknowledged, the last at/).waitFor()
  await page.getByTestId('sharing-state').getByText('Live').waitFor()
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'journeyLocks'))).toBe(1)
  await page.getByTestId('driver-marker').waitFor({ state: 'attached' })

  await page.context().setOffline(true)
  await page.getByTestId('sharing-state').getByText('Offline').waitFor()
  for (const step of [1, 2, 3]) {
    await page.context().setGeolocation({ ...COLOMBO, latitude: COLOMBO.latitude + step * 0.001 })
    await page.getByTestId('outbox').getByText(`${String(step)} saved until you are back online.`).waitFor()
  }
  await page.context().setOffline(false)
  await said.getByText(/4 positions sent, the last at .+: 6\.91770/).waitFor()
  await page.getByTestId('sharing-state').getByText('Live').waitFor()
  // The newest moves the marker and so comes back; the others become part of the trip.
  await expect.poll(async () => Number(await said.getAttribute('data-acknowledged'))).toBeGreaterThan(1)
})

test('the switch stays where it is when the deliveries come', async ({ visit }) => {
  const page = await visit('/driver/available', { as: (await newTrip()).driver, ...here })
  const answers = await holdCalls(page, '/api/v1/delivery**')
  await page.goto('/driver/track')
  const share = page.getByRole('switch', { name: 'Share live location' })
  await share.waitFor()
  const before = await share.boundingBox()
  answers.release()
  await page.getByTestId('trip').waitFor()
  // Its label gets another width when its font comes.
  expect(await share.boundingBox()).toMatchObject({ x: before?.x, y: before?.y })
})

test('a driver without deliveries sees what to wait for', async ({ visit }) => {
  const page = await visit('/driver/track', { as: await newAccount('delivery') })
  await page.getByText('When a restaurant assigns you an order, it appears here.').waitFor()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`deliveries and trip are accessible and fit a phone, ${colorScheme}`, async ({ visit }) => {
    const { driver } = await newTrip()
    for (const width of [1280, 390]) {
      const page = await visit('/driver/track', { as: driver, width, colorScheme, ...here })
      await page.getByTestId('trip').getByLabel(/^Map of the trip/).waitFor()
      await page.getByRole('switch', { name: 'Share live location' }).check({ force: true })
      await page.getByTestId('sharing-sent').waitFor()
      await expectAccessible(page)
      await expectNoHorizontalScroll(page)
    }
  })
}
