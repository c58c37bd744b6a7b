import { gzipSync } from 'node:zlib'

import type { Page, Request } from 'playwright-core'
import { expect } from 'vitest'

import { confirmOrder, newRestaurantWithItem, newOrders } from './restaurants'
import { newAccount } from './accounts'
import { test } from './test'

/** Bytes of JavaScript, gzipped, that a first visit may fetch; a browser that takes Brotli gets fewer. */
const HOME = 150_000
const TRACKING = 210_000

test('the first visit of the home page fetches little', async ({ visit }) => {
  const page = await visit('/favicon.svg')
  const scripts = weigh(page)
  await page.goto('/')
  await page.getByRole('article').first().waitFor()
  await page.waitForLoadState('networkidle')
  expect(report('/', await scripts())).toBeLessThanOrEqual(HOME)
})

test('the first visit of the tracking page fetches little', async ({ visit }) => {
  const { owner, item } = await newRestaurantWithItem()
  const [customer, driver] = [await newAccount(), await newAccount('delivery')]
  const [order] = await newOrders(customer, [item._id])
  if (order === undefined) throw new Error('one order')
  const delivery = await confirmOrder(owner, order.orderId, driver)
  const page = await visit('/favicon.svg', { as: customer })
  const scripts = weigh(page)
  await page.goto(`/track/${delivery._id}`)
  await page.locator('.leaflet-container').waitFor()
  await page.waitForLoadState('networkidle')
  expect(report('/track/…', await scripts())).toBeLessThanOrEqual(TRACKING)
})

test('a page\'s files are asked for by its document, and what it shows first before its component is there, once', async ({ visit }) => {
  const { restaurant, item } = await newRestaurantWithItem()
  const cart = JSON.stringify({ orderItem: [{ key: item._id, qty: 1 }] })
  const pages = [
    ['/', 'HomePage'],
    ['/item', 'ItemsPage'],
    [`/product/${item._id}`, 'ProductPage'],
    [`/restaurant/${restaurant._id}`, 'RestaurantPage'],
    ['/cart', 'CartPage'],
  ] as const
  for (const [at, component] of pages) {
    const page = await visit('/favicon.svg')
    await page.evaluate((kept) => { localStorage.setItem('cart', kept) }, cart)
    const calls: string[] = []
    const files: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.startsWith('/api/')) calls.push(pathname + search)
      if (pathname.startsWith('/assets/')) files.push(pathname)
    })
    const without = async (file: string) => {
      const pattern = `**/assets/${file}-*.js`
      await page.route(pattern, async (route) => { await route.abort() })
      await page.goto(at, { waitUntil: 'networkidle' })
      await page.unroute(pattern)
    }
    await without('index')
    expect(files.filter((file) => file.includes(component)), at).not.toEqual([])
    expect(calls, at).toEqual([])
    await without(component)
    const ahead = calls.splice(0)
    expect(ahead, at).not.toEqual([])
    await page.goto(at)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    for (const call of ahead) expect(calls.filter((one) => one === call), at).toHaveLength(1)
  }
})

test('fonts are fetched once a first visitor can read the page in the system\'s', async ({ visit }) => {
  const page = await visit('/favicon.svg')
  const readable: boolean[] = []
  await page.route('**/*.woff2', async (route) => {
    readable.push(await page.getByRole('heading', { level: 1 }).isVisible())
    await route.continue()
  })
  await page.goto('/')
  await expect.poll(() => readable.length).toBeGreaterThan(1)
  expect(readable).not.toContain(false)
  await expect.poll(() => page.evaluate(() => [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family))).toEqual(
    expect.arrayContaining(['Figtree Variable', 'Bricolage Grotesque'].map((name) => expect.stringContaining(name))),
  )
})

/** Records the scripts that a page fetches from now on; the returned function gives their bytes. */
function weigh(page: Page) {
  const requests: Request[] = []
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script') requests.push(request)
  })
  return async () =>
    await Promise.all(
      requests.map(async (request) => {
        const response = await request.response()
        if (response === null) throw new Error(`${request.url()} was not answered`)
        const { responseBodySize } = await request.sizes()
        const gzipped = gzipSync(await response.body()).length
        // A file of a few bytes would only grow.
        if (responseBodySize > 200) expect(await response.headerValue('content-encoding'), request.url()).toMatch(/^(br|gzip)$/)
        expect(responseBodySize, request.url()).toBeLessThanOrEqual(gzipped * 1.05 + 200)
        return gzipped
      }),
    )
}

function report(path: string, sizes: number[]): number {
  const sum = sizes.reduce((all, one) => all + one, 0)
  process.stdout.write(`JavaScript of a first visit of ${path}: ${String(sum)} bytes, gzip, in ${String(sizes.length)} files\n`)
  return sum
}
