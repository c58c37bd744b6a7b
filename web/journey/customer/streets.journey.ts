import { readFileSync } from 'node:fs'
import path from 'node:path'

import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import * as v from 'valibot'

import { newAccount, type Account } from '../accounts'
import { expectAccessible } from '../axe'
import { expectNoHorizontalScroll } from '../layout'
import { call, eventually } from '../platform'
import { confirmOrder, newOrders, newRestaurantWithItem } from '../restaurants'
import { test } from '../test'
import { viewports } from './viewports'

/** A door some streets from the restaurant. */
const DOOR = { lat: 6.9008, lng: 79.8541 }
/** Metres between two positions, and milliseconds between them: a device that measures each second. */
const STEP = 40
const PAUSE = 1000
/** The number of positions that are sent. */
const POSITIONS = 14
/** The largest distance from the street at which the marker is drawn, in pixels. */
const BESIDE = 2

const place = v.object({ lat: v.number(), lng: v.number() })
const leg = v.object({ points: v.array(place), basis: v.string(), metres: v.number() })
const arrivals = v.array(v.object({ _id: v.string(), earliestArrival: v.string(), latestArrival: v.string(), promisedTime: v.string() }))
const routeSchema = v.object({ toRestaurant: v.nullable(leg), toDestination: v.nullable(leg) })

interface Delivery {
  id: string
  owner: Account
  driver: Account
}

async function newDelivery(customer: Account): Promise<Delivery> {
  const { owner, item } = await newRestaurantWithItem()
  const driver = await newAccount('delivery')
  const [order] = await newOrders(customer, [item._id], DOOR)
  if (order === undefined) throw new Error('nothing was ordered')
  const { _id: id } = await confirmOrder(owner, order.orderId, driver)
  return { id, owner, driver }
}

async function routeOf({ id, driver }: Delivery) {
  return v.parse(routeSchema, await call('GET', `/api/v1/delivery/route/${id}`, { token: driver.token }))
}

/** Places along a route, each so many metres from the one before. */
function along(points: { lat: number; lng: number }[], step: number) {
  const places: { lat: number; lng: number }[] = []
  let left = 0
  points.forEach((to, index) => {
    const from = points[index - 1]
    if (from === undefined) return
    const length = Math.hypot((to.lat - from.lat) * 111_195, (to.lng - from.lng) * 111_195 * Math.cos((to.lat * Math.PI) / 180))
    for (let at = left; at < length; at += step) {
      const part = at / length
      places.push({ lat: from.lat + (to.lat - from.lat) * part, lng: from.lng + (to.lng - from.lng) * part })
      left = at + step - length
    }
    if (left > length) left -= length
  })
  return places
}

test.for(viewports)('the marker keeps to the street from the restaurant to the door, at $width px', async ({ width, colorScheme }, { visit }) => {
  const customer = await newAccount()
  const delivery = await newDelivery(customer)
  const page = await visit(`/track/${delivery.id}`, { as: customer, width, colorScheme })
  await page.getByTestId('eta').filter({ hasText: /\d/ }).waitFor()
  const promised = await page.getByTestId('eta').textContent()
  await page.locator('.leaflet-route-pane path').first().waitFor({ state: 'attached' })

  await setStatus(delivery, 'on the way')
  await page.getByTestId('eta').filter({ hasNotText: promised ?? '' }).waitFor()
  // On a busy machine a router may answer too late: lines are straight until the next time.
  const toDestination = await eventually(async () => {
    const leg = (await routeOf(delivery)).toDestination
    return leg?.basis === 'street' ? leg : undefined
  })
  await page.getByTestId('eta').filter({ hasText: /\d/, hasNotText: 'about' }).waitFor({ timeout: 60_000 })
  await watchFrames(page)
  const ride = along(toDestination.points, STEP).slice(0, POSITIONS)
  for (const here of ride) {
    await call('PUT', `/api/v1/delivery/location/${delivery.id}`, { token: delivery.driver.token, body: here })
    await page.waitForTimeout(PAUSE)
  }
  const frames = await seenFrames(page)
  expect(frames.length, 'frames').toBeGreaterThan(3 * POSITIONS)
  const beside = Math.max(...frames.map(({ off }) => off))
  expect(beside, 'pixels beside the street').toBeLessThan(BESIDE)
  const moved = new Set(frames.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`)).size
  expect(moved, 'it moves on between positions').toBeGreaterThan(2 * ride.length)
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)

  const kept = await arrivalOf(customer, delivery)
  const range = await clockRange(page, kept.earliestArrival, kept.latestArrival)
  await expect.poll(() => page.getByTestId('eta').textContent(), { timeout: 10_000 }).toContain(range)
  await setStatus(delivery, 'delivered')
  const arrived = Date.now()
  await page.locator('[data-testid=delivery-steps][data-status="delivered"]').waitFor()
  expect(arrived, 'the range is kept').toBeLessThanOrEqual(Date.parse(kept.latestArrival))
  expect(arrived, 'the promise is kept').toBeLessThanOrEqual(Date.parse(kept.promisedTime))
})

test('an owner follows a delivery from the board', async ({ visit }) => {
  const { owner } = await newDelivery(await newAccount())
  const page = await visit('/restaurantC/booking', { as: owner, width: 390, colorScheme: 'dark' })
  await page.getByRole('button', { name: 'Show Description' }).click()
  await page.getByRole('link', { name: 'Delivery on the map' }).click()
  await page.getByTestId('eta').filter({ hasText: /\d/ }).waitFor()
  await page.locator('.leaflet-route-pane path').first().waitFor({ state: 'attached' })
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await page.getByRole('link', { name: 'All orders' }).click()
  await page.waitForURL('**/restaurantC/booking')
})

test('without the router lines are straight and times are rough, until it is back', async ({ visit }) => {
  const customer = await newAccount()
  const delivery = await newDelivery(customer)
  const page = await visit(`/track/${delivery.id}`, { as: customer })
  const eta = page.getByTestId('eta')
  await eta.filter({ hasText: /\d/, hasNotText: 'about' }).waitFor()
  const basis = async () => (await routeOf(delivery)).toDestination?.basis

  // The routers don't answer, but take calls.
  const routers = routersOf()
  for (const pid of routers) process.kill(pid, 'SIGSTOP')
  try {
    await setStatus(delivery, 'on the way')
    await eta.filter({ hasText: 'about' }).waitFor()
    await page.getByRole('heading', { name: 'On the way' }).waitFor()
    expect(await basis()).toBe('straight')
  } finally {
    for (const pid of routers) process.kill(pid, 'SIGCONT')
  }
  await expect.poll(basis, { timeout: 30_000 }).toBe('street')

  // They die, and others run in their place.
  for (const pid of routers) process.kill(pid, 'SIGKILL')
  await expect.poll(() => routersOf().filter((pid) => !routers.includes(pid)).length, { timeout: 60_000 }).toBe(routers.length)
  await expect.poll(basis, { timeout: 30_000 }).toBe('street')
  // The page asks for streets again by itself.
  await eta.filter({ hasText: /\d/, hasNotText: 'about' }).waitFor({ timeout: 120_000 })
})

/** A range of clock times as the page's browser writes it. */
function clockRange(page: Page, from: string, to: string): Promise<string> {
  return page.evaluate(
    ([begin, end]) => {
      const clock = new Intl.DateTimeFormat('en-LK', { hour: 'numeric', minute: '2-digit' })
      // Across midnight `formatRange` adds the days.
      const isOneDay = begin.toDateString() === end.toDateString()
      return isOneDay ? clock.formatRange(begin, end) : `${clock.format(begin)} – ${clock.format(end)}`
    },
    [new Date(from), new Date(to)] as const,
  )
}

/** The times of arrival that the customer's list has. */
async function arrivalOf(customer: Account, { id }: Pick<Delivery, 'id'>) {
  const deliveries = v.parse(arrivals, await call('GET', '/api/v1/delivery', { token: customer.token }))
  const own = deliveries.find(({ _id }) => _id === id)
  if (own === undefined) throw new Error(`delivery ${id} is not in the customer's list`)
  return own
}

async function setStatus({ id, driver }: Delivery, status: string): Promise<void> {
  await call('PUT', `/api/v1/delivery/update/${id}`, { token: driver.token, body: { status } })
}

/** The processes of the platform's routers. */
function routersOf(): number[] {
  const home = process.env.TIFFIN_HOME
  if (home === undefined) throw new Error('TIFFIN_HOME, the folder of the platform, names its processes')
  const run: unknown = JSON.parse(readFileSync(path.join(home, 'run.json'), 'utf8'))
  const router = v.object({ pid: v.number() })
  const { routers } = v.parse(v.object({ routers: v.record(v.string(), router) }), run)
  return Object.values(routers).map(({ pid }) => pid)
}

interface Frame {
  x: number
  y: number
  /** Pixels from the marker to the nearest point of the route. */
  off: number
}

/** Looks at each frame from now on: where the marker is, and how far from the route. */
async function watchFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const frames: { x: number; y: number; off: number }[] = []
    Reflect.set(window, 'journeyFrames', frames)
    /** The points of the drawn route, one a pixel, in the map's own pixels. */
    const pointsOf = () =>
      [...document.querySelectorAll<SVGPathElement>('.leaflet-route-pane path')].flatMap((line) => {
        const length = line.getTotalLength()
        return Array.from({ length: Math.ceil(length) }, (_, at) => line.getPointAtLength(at))
      })
    const look = () => {
      const marker = document.querySelector<HTMLElement>('[data-testid=driver-marker]')
      const [, x, y] = /translate3d\(([-\d.]+)px, ([-\d.]+)px/.exec(marker?.style.transform ?? '') ?? []
      const points = pointsOf()
      if (x !== undefined && y !== undefined && points.length > 0) {
        const [left, top] = [Number(x), Number(y)]
        const off = Math.min(...points.map((point) => Math.hypot(point.x - left, point.y - top)))
        frames.push({ x: left, y: top, off })
      }
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
}

async function seenFrames(page: Page): Promise<Frame[]> {
  const seen: unknown = await page.evaluate(() => Reflect.get(window, 'journeyFrames'))
  return v.parse(v.array(v.object({ x: v.number(), y: v.number(), off: v.number() })), seen)
}
