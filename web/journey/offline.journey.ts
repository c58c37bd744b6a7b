import { expect } from 'vitest'

import { URL_OF_PLATFORM } from './browser'
import { seen } from './spec/seen'
import { test } from './test'

const BAR = 'Tiffin cannot be reached right now. Trying again…'

test('without the platform, loaded content stays, failures are shown, and the page recovers when it is back', async ({
  visit,
}) => {
  const page = await visit('/item')
  const dishes = page.getByRole('article')
  // The first of them are laid out before the others.
  await expect.poll(() => dishes.count()).toBe(24)
  const loads = await page.evaluate(() => performance.timeOrigin)

  // Every call is refused, as by a machine on which nothing listens.
  await page.route(`${URL_OF_PLATFORM}/**`, async (route) => { await route.abort('connectionrefused') })
  await page.getByRole('searchbox').fill('kottu')
  await seen(page, 'items', { text: ['An error occurred'] })
  await page.getByText(BAR).waitFor()

  // The content is there again, without a call.
  await page.getByRole('searchbox').fill('')
  await expect.poll(() => dishes.count()).toBe(24)

  await page.getByRole('searchbox').fill('kottu')
  await page.unroute(`${URL_OF_PLATFORM}/**`)
  await page.getByText('Connected again.').waitFor()
  await page.getByText(BAR).waitFor({ state: 'detached' })
  await page.getByText('An error occurred').waitFor({ state: 'detached' })
  await page.getByRole('article', { name: /kottu/i }).first().waitFor()
  expect(await page.evaluate(() => performance.timeOrigin), 'the page was never loaded again').toBe(loads)
})

/** The banner of a page whose calls fail. */
const UNREACHABLE = /You are offline\.|Tiffin cannot be reached right now/

test('the app opens without a network, stores no account’s data, and shows that it is offline', async ({ visit }) => {
  const page = await visit('/', { serviceWorkers: 'allow' })
  await page.evaluate(async () => { await navigator.serviceWorker.ready })
  const cacheNames = await page.evaluate(async () => await window.caches.keys())
  expect(cacheNames, 'each version has its cache').toContainEqual(expect.stringMatching(/^tiffin-[0-9a-f]{12}$/))
  const context = page.context()
  await context.setOffline(true)
  await page.goto('/item')
  await page.getByRole('heading', { level: 1, name: 'Items' }).waitFor()
  // After a navigation Chromium may tell the page that it is online, while each of its calls fails.
  await page.getByText(UNREACHABLE).waitFor()
  await seen(page, 'items', { text: ['An error occurred'] })

  const kept = await page.evaluate(async () => {
    const names = await caches.keys()
    const all = await Promise.all(names.map(async (name) => await (await caches.open(name)).keys()))
    return all.flat().map((request) => new URL(request.url).pathname)
  })
  expect(kept).toContain('/index.html')
  expect(kept.filter((path) => path.startsWith('/api/') || path.startsWith('/storage/'))).toEqual([])

  await context.setOffline(false)
  await page.getByRole('article').first().waitFor()
  await page.getByText(UNREACHABLE).waitFor({ state: 'detached' })
})

test('the app can be installed', async ({ visit }) => {
  const page = await visit('/')
  const manifest = await page.request.get((await page.locator('link[rel=manifest]').getAttribute('href')) ?? '')
  const { name, start_url, display, icons } = await manifest.json()
  expect({ name, start_url, display }).toEqual({ name: 'Tiffin', start_url: '/', display: 'standalone' })
  for (const icon of icons) expect((await page.request.get(icon.src)).ok(), icon.src).toBe(true)
})
