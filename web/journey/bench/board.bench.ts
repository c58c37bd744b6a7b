import type { Page } from 'playwright-core'
import { expect } from 'vitest'

import { type Account, newAccount } from '../accounts'
import { newDriver, newVerifiedRestaurant } from '../owner/restaurant'
import { call } from '../platform'
import { newItem, newOrders } from '../restaurants'
import { test } from '../test'

import { countedFrames, countFrames } from './frames'

const TICKETS = 100
const CUSTOMERS = 10
/** The time of measuring, and of running in before it, in seconds. */
const MEASURED = 60
const WARM_UP = 5
/** Seconds between two new tickets of the played evening at ten times its speed: 400 orders in three hours. */
const BEAT = (3 * 60 * 60) / 400 / 10
/** Frames a second on average: all of a display's sixty but one in a hundred. */
const FRAMES = 59.4

const STEPS = ['confirmed', 'preparing', 'dispatched', 'delivered']

test(`the owner's board with ${String(TICKETS)} tickets`, async ({ visit }) => {
  const shop = await newVerifiedRestaurant()
  const dishes = [shop.item._id, (await newItem(shop.owner, shop.restaurant._id, { name: 'Fish curry' }))._id]
  const driver = await newDriver()
  const customers: Account[] = []
  while (customers.length < CUSTOMERS) customers.push(await newAccount())
  let placed = 0
  /** Places one more ticket, and returns one of its orders. */
  const place = async () => {
    const customer = customers[placed % CUSTOMERS] ?? shop.customer
    placed += 1
    const [order] = await newOrders(customer, dishes)
    if (order === undefined) throw new Error('nothing was ordered')
    return order.orderId
  }
  const tickets: string[] = []
  while (tickets.length < TICKETS) tickets.push(await place())

  const page = await visit('/restaurantC/booking', { as: shop.owner })
  await page.getByText('Board', { exact: true }).click()
  await page.waitForFunction((count) => document.querySelectorAll('[data-card]').length >= count, TICKETS)
  let oldest = 0
  /** One more ticket comes, and the oldest one goes through all steps. */
  const step = async () => {
    tickets.push(await place())
    const moved = tickets[oldest] ?? ''
    oldest += 1
    for (const status of STEPS) {
      await call('PUT', `/api/v1/orders/ticket/${moved}`, { token: shop.owner.token, body: { status, driverId: driver.id } })
    }
  }
  // The first message brings the code of messages.
  await step()
  await page.waitForTimeout(WARM_UP * 1000)
  const shown: number[] = []
  await countFrames(page)
  for (let beat = 0; beat * BEAT < MEASURED; beat += 1) {
    const from = Date.now()
    await step()
    shown.push(await cardsOf(page))
    await page.waitForTimeout(Math.max(0, BEAT * 1000 - (Date.now() - from)))
  }
  const frames = await countedFrames(page)
  const mean = frames.reduce((sum, one) => sum + one, 0) / frames.length
  process.stdout.write(
    `\nat least ${String(Math.min(...shown))} tickets of two dishes, ${String(frames.length)} s in headless Chromium, every ${String(BEAT)} s a ` +
      `new ticket and one that goes through every status\n` +
      `  frames/s    mean ${mean.toFixed(1)}, slowest second ${String(Math.min(...frames))} (mean at least ${String(FRAMES)})\n`,
  )
  expect(Math.min(...shown), 'tickets on the board').toBeGreaterThanOrEqual(TICKETS)
  expect(mean, 'frames a second').toBeGreaterThanOrEqual(FRAMES)
})

/** The number of tickets. A locator would take a frame of the page's time to count them. */
async function cardsOf(page: Page): Promise<number> {
  return await page.evaluate(() => document.querySelectorAll('[data-card]').length)
}
