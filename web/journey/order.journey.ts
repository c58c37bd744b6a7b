import { type Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { launch, BrowserUser, type Painted } from './browser'
import { demo, login } from './accounts'
import { restaurantOf } from './platform'
import { ROUTE } from './route'

/** Between two positions of the route, in milliseconds: a device that measures five times a second. */
const PAUSE = 200

let browsers: Browser[] = []
let customer: BrowserUser
let owner: BrowserUser
let driver: BrowserUser

beforeAll(async () => {
  browsers = [await launch(), await launch(), await launch()]
  const [first, second, third] = browsers
  if (first === undefined || second === undefined || third === undefined) throw new Error('three browsers')
  customer = await BrowserUser.signIn(first, 'customer@tiffin.local')
  owner = await BrowserUser.signIn(second, 'owner@tiffin.local')
  driver = await BrowserUser.signIn(third, 'driver@tiffin.local')
})

afterAll(async () => {
  await Promise.all(browsers.map(async (browser) => { await browser.close() }))
})

test('an order placed in one browser becomes a moving marker in another', async () => {
  const [ownerId, driverId] = [(await login(demo.owner)).id, (await login(demo.driver)).id]
  const { restaurant, dishes } = await restaurantOf(ownerId)
  await owner.page.waitForURL('**/restaurantC/**')
  await driver.page.waitForURL('**/driver/**')
  await owner.page.getByTestId('order-row').first().waitFor()
  await driver.page.getByText('Share live location').first().waitFor()
  const before = await codesOn(owner)

  // The customer orders two dishes of one restaurant.
  await customer.goTo(`/restaurant/${restaurant._id}`)
  for (const dish of dishes) {
    await customer.page.getByRole('button', { name: `Add ${dish.name} to cart` }).click()
  }
  await customer.page.getByRole('link', { name: 'Cart, 2 items' }).click()
  await customer.page.getByRole('button', { name: 'Place Order' }).click()
  await customer.page.waitForURL('**/bookingconfirmation**')
  await customer.page.getByText('Thank you! Your order is placed.').waitFor()

  // The owner sees both arrive, picks the driver and confirms.
  const codes = await arrived(owner, before)
  expect(codes).toHaveLength(2)
  const [code, other] = codes
  if (code === undefined || other === undefined) throw new Error('two orders')
  await owner.page.getByLabel(`Driver for ${code}`).selectOption(driverId)
  await owner.page.getByLabel(`Status of ${code}`).selectOption('confirmed')
  await owner.page.getByText('Order status updated to confirmed').first().waitFor()
  await statusOf(owner, other, 'confirmed')

  // The driver is notified, sets out and shares positions.
  const status = driver.page.locator(`[data-testid=delivery-row][data-order*="${code}"][data-order*="${other}"] select`)
  await status.selectOption('on the way')
  await driver.standAt(at(0))
  await driver.page.getByRole('switch', { name: 'Share live location' }).check({ force: true })
  await driver.page.locator('[data-testid=sharing-state]', { hasText: 'Live' }).waitFor()

  // The customer watches the marker follow the recorded route, position for position.
  await customer.goTo('/profile')
  await customer.page.getByRole('button', { name: new RegExp(`Show map for .*${code}`) }).click()
  await customer.page.getByTestId('tracking').waitFor()
  await customer.page.locator('[data-testid=delivery-steps][data-status="on the way"]').waitFor()
  await customer.waitUntilPainted(at(0))
  for (const place of ROUTE.slice(1)) {
    await driver.standAt(place)
    await customer.waitUntilPainted(place)
    await customer.page.waitForTimeout(PAUSE)
  }
  const painted = withoutRepeats(await customer.painted())
  expect(painted.map(({ latitude, longitude }) => ({ latitude, longitude }))).toEqual(ROUTE)
  await customer.page.getByTestId('driver-marker').locator('svg').first().waitFor()
  report(painted.slice(1))

  // The driver hands both over; the other two pages show it.
  await status.selectOption('delivered')
  for (const one of codes) await statusOf(owner, one, 'delivered')
  await customer.page.locator('[data-testid=delivery-steps][data-status="delivered"]').waitFor()

  for (const person of [customer, owner, driver]) {
    expect(await person.loads(), 'pages are never loaded again').toBe(1)
    expect(person.thrown()).toEqual([])
  }
})

async function codesOn(person: BrowserUser): Promise<Set<string>> {
  const rows = await person.page.getByTestId('order-row').all()
  const codes = await Promise.all(rows.map(async (row) => await row.getAttribute('data-order')))
  return new Set(codes.filter((code) => code !== null))
}

/** The orders that came since, once there are two. */
async function arrived(person: BrowserUser, before: Set<string>): Promise<string[]> {
  await person.page.waitForFunction(
    (count) => document.querySelectorAll('[data-testid=order-row]').length >= count,
    before.size + 2,
  )
  return [...(await codesOn(person))].filter((code) => !before.has(code))
}

async function statusOf(person: BrowserUser, code: string, status: string): Promise<void> {
  await person.page.locator(`[data-testid=order-row][data-order="${code}"] [data-status="${status}"]`).first().waitFor()
}

function at(index: number) {
  const place = ROUTE[index]
  if (place === undefined) throw new Error(`the route has no position ${String(index)}`)
  return place
}

/** A device that does not move repeats its position. */
function withoutRepeats(painted: Painted[]): Painted[] {
  return painted.filter((one, index) => {
    const last = painted[index - 1]
    return last === undefined || last.latitude !== one.latitude || last.longitude !== one.longitude
  })
}

function report(painted: Painted[]): void {
  const sorted = painted.map((one) => one.latency).sort((a, b) => a - b)
  const percentile = (share: number) => (sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN).toFixed(0)
  process.stdout.write(
    `GPS to paint over ${String(sorted.length)} positions: p50 ${percentile(0.5)} ms, p95 ${percentile(0.95)} ms\n`,
  )
}
