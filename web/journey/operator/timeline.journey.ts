import type { Page } from 'playwright-core'
import * as v from 'valibot'
import { expect } from 'vitest'

import { expectAccessible } from '../axe'
import { confirmOrder, newRestaurantWithItem, newOrders } from '../restaurants'
import { expectNoHorizontalScroll } from '../layout'
import { demo, newAccount } from '../accounts'
import { call, eventually, orderSchema } from '../platform'
import { ROUTE } from '../route'
import { refuseCall, test } from '../test'
import { submitReason, operations } from './console'

/** Between two positions of the ride, in milliseconds. */
const PAUSE = 120

interface Delivered {
  code: string
  amount: number
  customer: string
}

let made: Promise<Delivered> | undefined

/** An order that was paid and brought, with a position at every bend of the route; made once. */
function deliveredOrder(): Promise<Delivered> {
  made ??= deliver()
  return made
}

async function deliver(): Promise<Delivered> {
  const { owner, item } = await newRestaurantWithItem()
  const [customer, driver] = [await newAccount(), await newAccount('delivery')]
  const door = ROUTE.at(-1)
  const [order] = await newOrders(customer, [item._id], { lat: door?.latitude, lng: door?.longitude })
  if (order === undefined) throw new Error('one order')
  const body = { bookingId: order.orderId, amount: order.totalAmount, paymentType: 'PayPal', paypalEmail: customer.email }
  await call('POST', '/api/v1/payment', { token: customer.token, body })
  const delivery = await confirmOrder(owner, order.orderId, driver)
  const status = async (to: string) => await call('PUT', `/api/v1/delivery/update/${delivery._id}`, { token: driver.token, body: { status: to } })
  await status('on the way')
  for (const { latitude, longitude } of ROUTE) {
    await call('PUT', `/api/v1/delivery/location/${delivery._id}`, { token: driver.token, body: { lat: latitude, lng: longitude } })
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
  await status('delivered')
  await eventually(async () => ((await presentState(order.orderId, customer.token)).status === 'delivered' ? true : undefined))
  return { code: order.orderId, amount: order.totalAmount, customer: customer.token }
}

async function presentState(code: string, token: string) {
  const orders = v.parse(v.array(orderSchema), await call('GET', '/api/v1/orders', { token }))
  const order = orders.find(({ orderId }) => orderId === code)
  if (order === undefined) throw new Error(`${code} is not there`)
  return order
}

/** The timeline, once the log has the end of the order and of what it led to. */
async function open(visit: (path: string, options: object) => Promise<Page>, code: string, options: object = {}) {
  const page = await visit(`/admin/events/timeline/${code}`, { as: demo.admin, ...options })
  const list = page.getByRole('region', { name: 'What happened' })
  await eventually(async () => {
    await list.waitFor()
    if ((await list.getByRole('button', { name: 'order delivered' }).count()) > 0) return true
    await page.reload()
    return undefined
  })
  return page
}

const slider = (page: Page) => page.getByRole('slider', { name: 'Moment' })
const spoken = async (page: Page) => (await slider(page).getAttribute('aria-valuetext')) ?? ''

async function press(page: Page, key: string, times: number) {
  for (let done = 0; done < times; done += 1) await page.keyboard.press(key)
}

/** Has what is masked of the way shown, as the map needs it. */
async function revealWay(page: Page) {
  const reason = `where was it, ${String(Date.now())}`
  await page.getByRole('button', { name: 'Show where the driver was' }).click()
  await submitReason(page, 'Show', reason)
  await page.getByRole('button', { name: 'Show where the driver was' }).waitFor({ state: 'detached' })
  await eventually(async () => (await operations()).find((one) => one.verb === 'reveal' && one.reason === reason))
}

/** The driver's place on the map. */
async function drawn(page: Page) {
  const marker = page.getByTestId('driver-marker')
  return { lat: Number(await marker.getAttribute('data-lat')), lng: Number(await marker.getAttribute('data-lng')) }
}

test('an order’s history is a graph of lanes and arrows, and a list that says the same', async ({ visit }) => {
  const { code } = await deliveredOrder()
  const page = await open(visit, code)
  await page.getByRole('heading', { name: `Timeline of ${code}` }).waitFor()
  const graph = page.getByTestId('graph')
  for (const lane of ['Order', 'Payment', 'Delivery', 'Driver', 'Notifications']) {
    await graph.getByText(lane, { exact: true }).waitFor()
  }
  await graph.getByText(`${String(ROUTE.length)} positions`).waitFor()
  // A mail's cause is the event that it reports.
  await page.getByRole('region', { name: 'What happened' }).getByText(/ after order placed$/).first().waitFor()
  await eventually(async () => {
    const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'notification sent' }) })
    if ((await row.filter({ hasText: /after order (placed|confirmed)/ }).count()) > 0) return true
    await page.reload()
    await graph.waitFor()
    return undefined
  })
  const list = page.getByRole('region', { name: 'What happened' })
  const effects = await list.getByText(/ after (order|delivery|notification) /).count()
  await expect.poll(() => graph.getByTestId('arrow').count()).toBe(effects)
  expect(effects).toBeGreaterThan(5)
  const latencies = await graph.getByTestId('latency').allTextContents()
  expect(latencies.length).toBeGreaterThan(2)
  for (const latency of latencies) expect(latency).toMatch(/^[\d.]+(ms|s)$/)
  await list.getByText(/^[\d.]+(ms|s) after order confirmed$/).first().waitFor()

  // An event is chosen in the list; the graph shows its chain, and what it says is masked.
  await list.getByRole('button', { name: 'delivery created' }).click()
  const chosen = page.getByTestId('picked')
  await chosen.getByText('•••').first().waitFor()
  await chosen.getByRole('link', { name: /^order confirmed/ }).waitFor()
  await expect.poll(() => graph.locator('[data-testid=arrow][data-chosen]').count()).toBeGreaterThan(1)

  // The same by pointer and by keys, which move and zoom as well.
  await graph.locator('[data-kind="order.placed"]').click()
  await chosen.getByRole('heading', { name: 'order placed' }).waitFor()
  await graph.focus()
  await page.keyboard.press('ArrowDown')
  await chosen.getByRole('heading', { name: 'notification created' }).waitFor()
  const before = await graph.locator('[data-kind="order.delivered"]').boundingBox()
  await page.keyboard.press('+')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => graph.locator('[data-kind="order.delivered"]').boundingBox()).not.toEqual(before)
  await page.keyboard.press('0')
  await expect.poll(() => graph.locator('[data-kind="order.delivered"]').boundingBox()).toEqual(before)
  await page.getByText('To scale').click()
  await expect.poll(() => graph.locator('[data-kind="order.delivered"]').boundingBox()).not.toEqual(before)
  await graph.focus()
  await page.keyboard.press('Escape')
  await expectAccessible(page)
})

test('the time machine shows the state at any second, and at the end the current state', async ({ visit }) => {
  const { code, customer } = await deliveredOrder()
  const page = await open(visit, code)
  const orderState = page.getByTestId('order-state')
  // It opens at its end, and takes its keys before anything was clicked.
  await expect.poll(() => spoken(page)).toContain('Order Delivered, delivery Delivered')
  const moment = async () => Number(await page.getByTestId('clock').getAttribute('data-t'))
  const end = await moment()
  const scrolled = await page.evaluate(() => window.scrollY)
  await press(page, 'p', 3)
  await expect.poll(moment).toBeLessThan(end)
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  expect(await page.evaluate(() => window.scrollY)).toBe(scrolled)
  await slider(page).focus()
  await page.keyboard.press('Home')
  await expect.poll(() => spoken(page)).toContain('Order Pending, delivery none yet, Rs. 0.00 paid')
  await orderState.getByText('not seen yet').waitFor()
  await revealWay(page)
  await page.locator('.leaflet-route-pane path').first().waitFor({ state: 'attached' })

  // To the moment of an event, and on from there.
  const list = page.getByRole('region', { name: 'What happened' })
  await list.getByRole('button', { name: 'order confirmed' }).click()
  await page.getByRole('button', { name: /^Go to / }).click()
  await expect.poll(() => spoken(page)).toMatch(/Order Confirmed, delivery none yet, Rs\. [1-9]/)
  await slider(page).focus()
  await eventually(async () => {
    await page.keyboard.press('n')
    return (await spoken(page)).includes('delivery Assigned') ? true : undefined
  })
  await expect.poll(() => spoken(page)).toContain('Order Confirmed')
  await orderState.getByText('Assigned').waitFor()

  // The driver is between two bends.
  await list.getByRole('button', { name: /^position updated|positions until/ }).first().click()
  await page.getByRole('button', { name: /^Go to / }).click()
  const [first, last] = [ROUTE[0], ROUTE.at(-1)]
  if (first === undefined || last === undefined) throw new Error('a route')
  await expect.poll(() => drawn(page)).toEqual({ lat: first.latitude, lng: first.longitude })
  await slider(page).focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(async () => (await drawn(page)).lat).toBeLessThan(first.latitude)
  expect((await drawn(page)).lat).toBeGreaterThan(last.latitude)

  await page.keyboard.press('End')
  const present = await presentState(code, customer)
  await expect.poll(async () => (await spoken(page)).toLowerCase()).toContain(`order ${present.status}, delivery delivered`)
  await expect.poll(() => drawn(page)).toEqual({ lat: last.latitude, lng: last.longitude })
  await orderState.getByText('Delivery delivered').waitFor()
  await expectAccessible(page)

  // Played from the start.
  await page.keyboard.press('Home')
  await page.getByText('100×').click()
  await slider(page).focus()
  await page.keyboard.press('Space')
  const whole = await slider(page).getAttribute('aria-valuemax')
  await eventually(async () => ((await slider(page).getAttribute('aria-valuenow')) === whole ? true : undefined))
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
})

test('the graph follows the playhead, until it is moved and the playhead not touched since', async ({ visit }) => {
  const { code } = await deliveredOrder()
  const page = await open(visit, code)
  const graph = page.getByTestId('graph')
  await slider(page).focus()
  await page.keyboard.press('Home')
  await page.getByText('To scale').click()
  await graph.focus()
  await press(page, '+', 6)
  await press(page, 'ArrowLeft', 40)
  const hand = graph.getByTestId('playhead')
  await hand.waitFor()
  // The last event is far out of sight.
  const dot = graph.locator('[data-kind="order.delivered"]')
  const isInSight = async () => {
    const [box, at] = [await graph.boundingBox(), await dot.boundingBox()]
    return box !== null && at !== null && at.x > box.x && at.x < box.x + box.width
  }
  await expect.poll(isInSight).toBe(false)
  const played = async () => {
    await page.getByText('10×', { exact: true }).click()
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    const whole = await slider(page).getAttribute('aria-valuemax')
    await eventually(async () => {
      expect(await hand.count()).toBe(1)
      return (await slider(page).getAttribute('aria-valuenow')) === whole ? true : undefined
    })
  }
  await played()
  await expect.poll(isInSight).toBe(true)
  // Moved away, it stays; a touch of the playhead has it follow again.
  await graph.focus()
  await press(page, 'ArrowLeft', 40)
  await expect.poll(() => hand.count()).toBe(0)
  await expect.poll(isInSight).toBe(false)
  await slider(page).focus()
  await page.keyboard.press('End')
  await hand.waitFor()
  await expect.poll(isInSight).toBe(true)
})

test('an order is replayed live, and stopped', async ({ visit }) => {
  const { code } = await deliveredOrder()
  const page = await open(visit, code)
  const start = async (speed: string) => {
    await page.getByRole('button', { name: 'Replay live' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Start' }).click()
    await dialog.getByText('Enter a reason.').waitFor()
    await expectAccessible(page)
    await dialog.getByLabel('Reason').fill('To see the ride once more.')
    await dialog.getByLabel('Speed').selectOption(speed)
    await dialog.getByRole('button', { name: 'Start' }).click()
    await page.locator('[data-testid=live][data-state=running]').waitFor()
  }
  await start('2')
  const places = new Set<string>()
  await eventually(async () => {
    const { lat, lng } = await drawn(page)
    if (lat !== 0) places.add(`${String(lat)} ${String(lng)}`)
    return places.size > 5 ? true : undefined
  }, 30_000)
  const live = page.getByTestId('live')
  await page.locator('[data-testid=live][data-state=done]').waitFor({ timeout: 60_000 })
  const [, shown, total] = /: (\d+) of (\d+) events/.exec((await live.textContent()) ?? '') ?? []
  expect(Number(shown)).toBeGreaterThan(ROUTE.length)
  expect(shown).toBe(total)
  await page.getByRole('button', { name: 'Next event' }).waitFor()
  await eventually(async () => ((await spoken(page)).includes('Order Delivered, delivery Delivered') ? true : undefined))
  await page.getByRole('button', { name: 'Back to the whole history' }).click()

  await start('1')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.locator('[data-testid=live][data-state=cancelled]').waitFor()
  await live.getByText(/^The live replay was stopped after/).waitFor()
})

test('it reads on a phone, in the dark, without motion', async ({ visit }) => {
  const { code } = await deliveredOrder()
  const page = await open(visit, code, { width: 390, colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.getByTestId('event').first().waitFor()
  await expectNoHorizontalScroll(page)
  await expectAccessible(page)
})

test('a missing order and a failed history are reported', async ({ visit }) => {
  const missing = await visit('/admin/events/timeline/ORD-00000000', { as: demo.admin })
  await missing.getByText('There is no such order.').waitFor()
  await expectAccessible(missing)
  const { code } = await deliveredOrder()
  const page = await visit('/admin/events/timeline', { as: demo.admin })
  await refuseCall(page, 'GET', `/api/v1/operator/timeline/${code}`, { status: 503, message: 'The broker does not answer.' }, true)
  await page.getByLabel('Order').fill(code)
  await page.getByRole('button', { name: 'Show timeline' }).click()
  await page.getByText('The broker does not answer.').waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('slider', { name: 'Moment' }).waitFor()
})
