import { mkdirSync } from 'node:fs'
import path from 'node:path'

import { type Browser } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'

import { launch, URL_OF_PLATFORM } from './browser'

const folder = process.env.TIFFIN_SHOTS ?? 'shots'

/** Whose page, and where it is. */
const PAGES = [
  { name: 'home', path: '/' },
  { name: 'restaurants', path: '/restaurant' },
  { name: 'items', path: '/item' },
  { name: 'login', path: '/login' },
  { name: 'not-found', path: '/nowhere' },
  { name: 'cart', path: '/cart', as: 'customer@tiffin.local' },
  { name: 'profile', path: '/profile', as: 'customer@tiffin.local' },
  { name: 'owner-orders', path: '/restaurantC/booking', as: 'owner@tiffin.local' },
  { name: 'owner-restaurants', path: '/restaurantC/restaurant', as: 'owner@tiffin.local' },
  { name: 'driver-track', path: '/driver/track', as: 'driver@tiffin.local' },
  { name: 'driver-available', path: '/driver/available', as: 'driver@tiffin.local' },
  { name: 'admin-dashboard', path: '/admin/', as: 'admin@tiffin.local' },
  { name: 'admin-orders', path: '/admin/booking', as: 'admin@tiffin.local' },
  { name: 'admin-items', path: '/admin/item', as: 'admin@tiffin.local' },
  { name: 'admin-restaurants', path: '/admin/package', as: 'admin@tiffin.local' },
  { name: 'admin-users', path: '/admin/user', as: 'admin@tiffin.local' },
  { name: 'admin-reviews', path: '/admin/review', as: 'admin@tiffin.local' },
  { name: 'admin-inquiries', path: '/admin/inquiry', as: 'admin@tiffin.local' },
  { name: 'admin-payments', path: '/admin/payment', as: 'admin@tiffin.local' },
  { name: 'operator-streams', path: '/admin/events', as: 'admin@tiffin.local' },
  { name: 'operator-events', path: '/admin/events/search', as: 'admin@tiffin.local' },
  { name: 'operator-timeline', path: '/admin/events/timeline', as: 'admin@tiffin.local' },
  { name: 'operator-replays', path: '/admin/events/replays', as: 'admin@tiffin.local' },
  { name: 'operator-models', path: '/admin/events/models', as: 'admin@tiffin.local' },
  { name: 'operator-letters', path: '/admin/events/dead', as: 'admin@tiffin.local' },
  { name: 'operator-operations', path: '/admin/events/operations', as: 'admin@tiffin.local' },
  { name: 'admin-profile', path: '/admin/profile', as: 'admin@tiffin.local' },
] as const

let browser: Browser
beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  browser = await launch()
})
afterAll(async () => { await browser.close() })

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test(`every page at ${String(width)} px, ${colorScheme}`, async () => {
      for (const email of [undefined, 'customer@tiffin.local', 'owner@tiffin.local', 'driver@tiffin.local', 'admin@tiffin.local']) {
        const context = await browser.newContext({
          baseURL: URL_OF_PLATFORM,
          colorScheme,
          viewport: { width, height: 900 },
        })
        const page = await context.newPage()
        if (email !== undefined) {
          await page.goto('/login')
          await page.getByLabel('Email').fill(email)
          await page.getByLabel('Password', { exact: true }).fill('Tiffin@2026')
          await page.getByRole('button', { name: 'Login' }).click()
          await page.waitForURL((url) => url.pathname !== '/login')
        }
        for (const one of PAGES.filter((one) => ('as' in one ? one.as : undefined) === email)) {
          await page.goto(one.path)
          await page.locator('h1').first().waitFor()
          await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined)
          await page.screenshot({ path: path.join(folder, `${one.name}-${String(width)}-${colorScheme}.png`) })
        }
        await context.close()
      }
    })
  }
}
