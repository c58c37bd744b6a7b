import type { Page } from 'playwright-core'
import * as v from 'valibot'
import { expect } from 'vitest'

import { requestsWhileIdle } from '../idle-requests'
import { newItem, newOrders } from '../restaurants'
import { test } from '../test'
import { newDriver, newVerifiedRestaurant, newOrder, setAvailable } from './restaurant'

/** The number of measured orders. */
const ORDERS = 24
/** Tabs of one owner, and a rush of orders. */
const TABS = 6
const CHECKOUTS = 20
const DISHES = 15
/** The time without input, in milliseconds. */
const IDLE = 40_000

const placed = v.object({ code: v.string(), answeredAt: v.number() })

/** Orders in a page's browser, and returns the time of the answer. */
async function orderIn(page: Page, key: string) {
  return v.parse(
    placed,
    await page.evaluate(async (dish) => {
      const answer = await fetch('/api/v1/orders', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${localStorage.getItem('token') ?? ''}` },
        body: JSON.stringify({ orderItem: [{ key: dish, qty: 1 }] }),
      })
      const answeredAt = Date.now()
      const { orders } = await answer.json()
      return { code: orders[0].orderId, answeredAt }
    }, key),
  )
}

/** Runs in the page: notes when each order of the board was first drawn. */
function notePaints() {
  const drawn: Record<string, number> = {}
  Reflect.set(window, 'journeyDrawn', drawn)
  new MutationObserver(() => {
    for (const card of document.querySelectorAll('[data-testid=order-card]')) {
      const code = card.getAttribute('data-order') ?? ''
      if (code in drawn) continue
      drawn[code] = Number.NaN
      // After the next frame was handed over, it is on the screen.
      requestAnimationFrame(() => setTimeout(() => { drawn[code] = Date.now() }))
    }
  }).observe(document.body, { subtree: true, childList: true })
}

async function drawnAt(page: Page, code: string): Promise<number> {
  const at = await page.waitForFunction(
    (wanted) => {
      const drawn: unknown = Reflect.get(window, 'journeyDrawn')
      if (typeof drawn !== 'object' || drawn === null) return false
      const moment: unknown = Reflect.get(drawn, wanted)
      return typeof moment === 'number' && !Number.isNaN(moment) ? moment : false
    },
    code,
    { polling: 50, timeout: 15_000 },
  )
  return v.parse(v.number(), await at.jsonValue())
}

test('an order of another browser is on the board at once', async ({ visit }) => {
  const shop = await newVerifiedRestaurant()
  await newOrder(shop)
  const customer = await visit('/', { as: shop.customer })
  const board = await visit('/restaurantC/booking', { as: shop.owner })
  await board.getByText('Board', { exact: true }).click()
  await board.getByTestId('order-card').first().waitFor()
  await board.evaluate(notePaints)

  const delays: number[] = []
  for (let count = 0; count < ORDERS; count += 1) {
    const { code, answeredAt } = await orderIn(customer, shop.item._id)
    delays.push(Math.max(0, (await drawnAt(board, code)) - answeredAt))
  }
  expect(delays).toHaveLength(ORDERS)
  report(delays)
  await expect.poll(() => board.title()).toBe(`(${String(ORDERS + 1)}) Restaurant Order · Tiffin`)
})

test('six tabs of an owner follow a rush, and none of their calls fails', async ({ visit }) => {
  const shop = await newVerifiedRestaurant()
  await newOrder(shop)
  const menu = Array.from({ length: DISHES }, (_, dish) => newItem(shop.owner, shop.restaurant._id, { name: `Curry ${String(dish)}` }))
  const dishes = (await Promise.all(menu)).map(({ _id }) => _id)
  const tabs = [await visit('/restaurantC/booking', { as: shop.owner })]
  while (tabs.length < TABS) tabs.push(await visit('/restaurantC/booking', { as: shop.owner }))
  const failed: string[] = []
  for (const tab of tabs) {
    await tab.getByText('Board', { exact: true }).click()
    await tab.getByTestId('order-card').first().waitFor()
    tab.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? ''
      // A list that is fetched again cancels what it had asked for.
      if (reason !== 'net::ERR_ABORTED') failed.push(`${request.url()}: ${reason}`)
    })
  }
  for (let checkout = 0; checkout < CHECKOUTS; checkout += 1) await newOrders(shop.customer, dishes)
  for (const tab of tabs) await tab.getByText(`${String(1 + CHECKOUTS * DISHES)} waiting to be confirmed`).waitFor()
  expect(failed).toEqual([])
})

test('a bell rings for a new order once the page was touched, until it is switched off', async ({ visit }) => {
  const shop = await newVerifiedRestaurant()
  await newOrder(shop)
  const page = await visit('/restaurantC/booking', { as: shop.owner })
  await page.getByTestId('order-row').first().waitFor()
  await page.evaluate(() => {
    const start = OscillatorNode.prototype.start
    Reflect.set(window, 'journeyNotes', 0)
    Reflect.set(window, 'journeyToasts', 0)
    // A toast may be gone before the order's row is seen.
    new MutationObserver((changes) => {
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node.textContent?.includes('You have a new order.'))
      Reflect.set(window, 'journeyToasts', Number(Reflect.get(window, 'journeyToasts')) + added.length)
    }).observe(document.body, { childList: true, subtree: true })
    OscillatorNode.prototype.start = function (when) {
      Reflect.set(window, 'journeyNotes', Number(Reflect.get(window, 'journeyNotes')) + 1)
      start.call(this, when)
    }
  })
  const count = async (name: string) => await page.evaluate((key) => Number(Reflect.get(window, key)), name)
  const notes = async () => await count('journeyNotes')
  const orderAndWait = async () => {
    const before = await count('journeyToasts')
    const { orderId } = await newOrder(shop)
    await page.locator(`[data-order="${orderId}"]`).waitFor()
    await expect.poll(async () => await count('journeyToasts')).toBeGreaterThan(before)
  }

  await orderAndWait()
  await expect.poll(notes).toBe(0)
  await page.locator('h1').click()
  await orderAndWait()
  await expect.poll(notes).toBe(3)
  await page.getByRole('switch', { name: 'Sound' }).uncheck({ force: true })
  await orderAndWait()
  await expect.poll(notes).toBe(3)
})

test('who is free is known without asking, and nothing is asked on a timer', async ({ visit }) => {
  const [shop, driver] = [await newVerifiedRestaurant(), await newDriver()]
  const { orderId } = await newOrder(shop)
  const owners = await visit('/restaurantC/booking', { as: shop.owner })
  const drivers = await visit('/driver/track', { as: driver })
  const choice = owners.getByLabel(`Driver for ${orderId}`).locator(`option[value="${driver.id}"]`)
  await choice.waitFor({ state: 'attached' })
  await setAvailable(driver, false)
  await choice.waitFor({ state: 'detached' })
  await setAvailable(driver, true)
  await choice.waitFor({ state: 'attached' })
  await drivers.getByText('No deliveries yet.').waitFor()

  expect(await requestsWhileIdle([owners, drivers], IDLE)).toEqual([])
})

function report(delays: number[]): void {
  const sorted = [...delays].sort((a, b) => a - b)
  const percentile = (share: number) => String(sorted[Math.ceil(share * sorted.length) - 1])
  process.stdout.write(
    `order to board over ${String(sorted.length)} orders: p50 ${percentile(0.5)} ms, p95 ${percentile(0.95)} ms, target 500 ms\n`,
  )
}
