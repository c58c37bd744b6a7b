import type { Page } from 'playwright-core'
import * as v from 'valibot'
import { expect } from 'vitest'

import { type Account, demo, login } from '../accounts'
import { expectAccessible } from '../axe'
import { expectNoHorizontalScroll } from '../layout'
import { newDriver, newOrder, newVerifiedRestaurant } from '../owner/restaurant'
import { call, eventually } from '../platform'
import { confirmOrder } from '../restaurants'
import { test } from '../test'

const COLOMBO = { latitude: 6.9147, longitude: 79.8501, accuracy: 8 }
const FIXES = 200

/** A driver with two deliveries of one restaurant. */
async function newTrips() {
  const [shop, driver] = [await newVerifiedRestaurant(), await newDriver()]
  const [first, second] = [await newOrder(shop), await newOrder(shop)]
  for (const { orderId } of [first, second]) await confirmOrder(shop.owner, orderId, driver)
  return { driver, first: first.orderId, second: second.orderId }
}

const timelineSchema = v.array(v.looseObject({ event: v.looseObject({ type: v.string(), sequence: v.number() }) }))

/** The events of an order's delivery of one type. */
async function eventsOf(operator: Account, order: string, type: string) {
  const timeline = v.parse(timelineSchema, await call('GET', `/api/v1/operator/timeline/${order}`, { token: operator.token }))
  return timeline.map(({ event }) => event).filter((event) => event.type === type)
}

/** Drives on without network, a fix every twenty metres, until so many positions are kept. */
async function drive(page: Page, from: number, to: number) {
  for (let step = from; step <= to; step += 1) {
    await page.context().setGeolocation({ ...COLOMBO, latitude: COLOMBO.latitude + step * 0.0002 })
    await page.getByTestId('outbox').getByText(`${String(step)} saved until you are back online.`).waitFor()
  }
}

const share = async (page: Page) => { await page.getByRole('switch', { name: 'Share live location' }).check({ force: true }) }

test('a tab killed in mid-trip with 200 fixes and two status changes unsent loses and repeats none of them', async ({ visit }) => {
  const { driver, first, second } = await newTrips()
  const operator = await login(demo.admin)
  const page = await visit('/driver/track', { as: driver, permissions: ['geolocation'], geolocation: COLOMBO })
  await share(page)
  const acknowledged = async () => Number(await page.getByTestId('sharing-sent').getAttribute('data-acknowledged'))
  await expect.poll(acknowledged).toBe(1)

  const context = page.context()
  await context.setOffline(true)
  await page.getByLabel(`Status of ${first}`).selectOption('on the way')
  await page.getByText('1 status change waits for the network', { exact: false }).waitFor()
  await drive(page, 1, FIXES)
  await page.getByLabel(`Status of ${first}`).selectOption('delivered')
  await page.getByText('2 status changes wait for the network', { exact: false }).waitFor()
  await page.locator(`[data-order="${first}"][data-status=delivered]`).waitFor()
  await page.close({ runBeforeUnload: false })
  expect(await eventsOf(operator, first, 'tiffin.delivery.delivered.v1')).toEqual([])

  await context.setOffline(false)
  const again = await context.newPage()
  await again.goto('/driver/track')
  await again.locator(`[data-order="${first}"][data-status=delivered]`).waitFor()
  for (const order of [first, second]) {
    const sequences = await eventually(async () => {
      const positions = await eventsOf(operator, order, 'tiffin.position.updated.v1')
      return positions.length > FIXES ? positions.map(({ sequence }) => sequence) : undefined
    }, 60_000)
    expect(sequences).toHaveLength(FIXES + 1)
    expect(new Set(sequences).size).toBe(FIXES + 1)
  }
  for (const status of ['on_the_way', 'delivered']) {
    expect(await eventsOf(operator, first, `tiffin.delivery.${status}.v1`), status).toHaveLength(1)
  }
  await again.getByTestId('outbox').waitFor({ state: 'detached' })
  const place = await eventually(async () => {
    const found = await call('GET', `/api/v1/delivery/loc/${second}`, { token: driver.token })
    const { lat } = v.parse(v.object({ lat: v.number() }), found)
    return lat === COLOMBO.latitude + FIXES * 0.0002 ? lat : undefined
  })
  expect(place).toBeCloseTo(COLOMBO.latitude + FIXES * 0.0002, 9)
}, 180_000)

test('a change of a delivery that was taken away meanwhile is refused, shown and dropped', async ({ visit }) => {
  const [shop, driver, other] = [await newVerifiedRestaurant(), await newDriver(), await newDriver()]
  const { orderId } = await newOrder(shop)
  await confirmOrder(shop.owner, orderId, driver)
  const page = await visit('/driver/track', { as: driver })
  // The code of the map and of toasts may still be on its way: it is fetched once the network is back.
  await page.getByLabel(`Status of ${orderId}`).waitFor()
  await page.context().setOffline(true)
  await page.getByLabel(`Status of ${orderId}`).selectOption('on the way')
  await page.getByText('1 status change waits for the network', { exact: false }).waitFor()
  await confirmOrder(shop.owner, orderId, other)
  await page.context().setOffline(false)
  await page.getByText(`${orderId}: “On The Way” was refused.`, { exact: false }).waitFor()
  await page.getByTestId('outbox').waitFor({ state: 'detached' })
  await page.getByLabel(/^Map of the trip/).waitFor({ state: 'detached' })
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`what waits for the network fits a phone, ${colorScheme}`, async ({ visit }) => {
    const { driver, first } = await newTrips()
    const page = await visit('/driver/track', { as: driver, width: 390, colorScheme, permissions: ['geolocation'], geolocation: COLOMBO })
    await share(page)
    await page.getByTestId('sharing-sent').getByText('1 acknowledged', { exact: false }).waitFor()
    await page.context().setOffline(true)
    await page.getByLabel(`Status of ${first}`).selectOption('on the way')
    await drive(page, 1, 2)
    await page.getByText('Waiting for the network').first().waitFor()
    await expectAccessible(page)
    await expectNoHorizontalScroll(page)
    const folder = process.env.TIFFIN_SHOTS
    if (folder !== undefined) await page.screenshot({ path: `${folder}/phone-${colorScheme}.png`, fullPage: true })
  })
}
