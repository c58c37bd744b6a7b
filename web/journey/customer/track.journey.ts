import { expect } from 'vitest'

import { expectAccessible } from '../axe'
import { confirmOrder, newRestaurantWithItem, newOrders } from '../restaurants'
import { expectNoHorizontalScroll } from '../layout'
import { newAccount } from '../accounts'
import { call } from '../platform'
import { test } from '../test'
import { viewports } from './viewports'

/** The colour of land, as the map draws it. */
const LAND = { light: '247,241,231', dark: '38,34,32' }

/** The customer's door, some three kilometres from the restaurant. */
const DOOR = { lat: 6.8932, lng: 79.8568 }

async function newDelivery() {
  const { owner, item } = await newRestaurantWithItem()
  const [customer, driver] = [await newAccount(), await newAccount('delivery')]
  const [order] = await newOrders(customer, [item._id], DOOR)
  if (order === undefined) throw new Error('nothing was ordered')
  return { customer, driver, delivery: await confirmOrder(owner, order.orderId, driver) }
}

test.for(viewports)('a delivery is followed by its URL alone, at $width px', async ({ width, colorScheme }, { visit }) => {
  const { customer, driver, delivery } = await newDelivery()
  const page = await visit(`/track/${delivery._id}`, { as: customer, width, colorScheme })
  await page.getByRole('heading', { name: 'Assigned' }).waitFor()
  await page.getByTestId('promised').waitFor()
  // The time of arrival is the server's range, also before the driver is seen.
  const range = page.getByTestId('eta').filter({ hasText: /\d+:\d\d.*–.*\d+:\d\d/ })
  await range.waitFor()
  await page.getByTestId('time-left').filter({ hasText: /^(in \d+–\d+|within \d+) min$/ }).waitFor()
  await page.locator('.leaflet-route-pane path').first().waitFor({ state: 'attached' })

  // All of it in words, for those who cannot see the map.
  const as = { token: driver.token }
  await call('PUT', `/api/v1/delivery/update/${delivery._id}`, { ...as, body: { status: 'on the way' } })
  await page.getByRole('heading', { name: 'On the way' }).waitFor()
  await call('PUT', `/api/v1/delivery/location/${delivery._id}`, { ...as, body: { lat: 6.9105, lng: 79.8535 } })
  await page.getByTestId('driver-marker').waitFor()
  await page.getByTestId('position-age').filter({ hasText: /updated \d+ s ago/ }).waitFor()
  await expect.poll(async () => await page.getByTestId('tracking-announcement').textContent(), { timeout: 30_000 }).toMatch(
    /^On the way\. Arriving between .*\d+:\d\d.* and .*\d+:\d\d.*\. .*Promised by /,
  )
  await range.waitFor()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
})

test.for(['light', 'dark'] as const)('the %s map is drawn beside the page, as sharp as the screen is', async (colorScheme, { visit }) => {
  const { customer, delivery } = await newDelivery()
  const page = await visit(`/track/${delivery._id}`, { as: customer, width: 390, colorScheme, deviceScaleFactor: 2 })
  await page.locator('.leaflet-tile-loaded').first().waitFor()
  await expect.poll(async () => await page.locator('.leaflet-tile:not(.leaflet-tile-loaded)').count()).toBe(0)
  const { sides, colours } = await page.evaluate(lookAtTiles)
  expect(sides).toEqual([512])
  expect(colours.length, 'land, water, parks, roads and names').toBeGreaterThan(50)
  expect(colours.includes(LAND.light)).toBe(colorScheme === 'light')
  expect(colours.includes(LAND.dark)).toBe(colorScheme === 'dark')
  await page.locator('.leaflet-control-attribution').getByText('Tiffin', { exact: false }).waitFor()
})

test('without its base the map shows where everything is', async ({ visit }) => {
  const { customer, driver, delivery } = await newDelivery()
  const page = await visit('/favicon.svg', { as: customer })
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  await page.route('**/map/*.json', async (route) => { await route.fulfill({ status: 503 }) })
  await page.goto(`/track/${delivery._id}`)
  await expect.poll(() => said.filter((text) => text.includes('The base map could not be loaded.'))).toHaveLength(1)
  await page.getByRole('button', { name: 'Restaurant' }).waitFor()
  const as = { token: driver.token }
  await call('PUT', `/api/v1/delivery/update/${delivery._id}`, { ...as, body: { status: 'on the way' } })
  await call('PUT', `/api/v1/delivery/location/${delivery._id}`, { ...as, body: { lat: 6.9105, lng: 79.8535 } })
  await page.getByTestId('driver-marker').waitFor()
})

test('another customer sees no such delivery', async ({ visit }) => {
  const page = await visit('/track/01999999-0000-7000-8000-000000000000', { as: await newAccount() })
  await page.getByText('There is no such delivery.').waitFor()
})

test('a guest logs in and is led to the delivery', async ({ visit }) => {
  const person = await newAccount()
  const page = await visit('/track/01999999-0000-7000-8000-000000000000')
  await page.waitForURL('**/login')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('**/track/01999999-0000-7000-8000-000000000000')
})

/** Runs in the page: the sides of the map's tiles in pixels, and all their colours. */
function lookAtTiles() {
  const sides = new Set<number>()
  const colours = new Set<string>()
  for (const tile of document.querySelectorAll('canvas')) {
    if (!tile.matches('.leaflet-tile-loaded')) continue
    sides.add(tile.width)
    const copy = new OffscreenCanvas(tile.width, tile.height).getContext('2d')
    copy?.drawImage(tile, 0, 0)
    const { data = [] } = copy?.getImageData(0, 0, tile.width, tile.height) ?? {}
    for (let at = 0; at < data.length; at += 4) colours.add(`${data[at]},${data[at + 1]},${data[at + 2]}`)
  }
  return { sides: [...sides], colours: [...colours] }
}
