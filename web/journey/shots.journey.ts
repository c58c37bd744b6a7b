import { mkdirSync } from 'node:fs'
import path from 'node:path'

import { type Browser } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { z } from 'zod'

import { launch, URL_OF_PLATFORM } from './browser'
import { demo, login, newPerson, signIn } from './people'
import { call, deliverySchema, orderSchema, restaurantOf } from './platform'

const folder = process.env.TIFFIN_SHOTS ?? 'shots'

/** Whose page, and where it is. */
interface Shot {
  name: string
  path: string
  as?: string
}

const PAGES: Shot[] = [
  { name: 'home', path: '/' },
  { name: 'restaurants', path: '/restaurant' },
  { name: 'items', path: '/item' },
  { name: 'login', path: '/login' },
  { name: 'register', path: '/register' },
  { name: 'restaurant-signup', path: '/restaurant-signup' },
  { name: 'driver-signup', path: '/driver-signup' },
  { name: 'testing', path: '/testing' },
  { name: 'not-found', path: '/nowhere' },
  { name: 'cart', path: '/cart', as: 'customer@tiffin.local' },
  { name: 'profile', path: '/profile', as: 'customer@tiffin.local' },
  { name: 'location', path: '/location', as: 'customer@tiffin.local' },
  { name: 'contact', path: '/contact', as: 'customer@tiffin.local' },
  { name: 'owner-orders', path: '/restaurantC/booking', as: 'owner@tiffin.local' },
  { name: 'owner-restaurant-add', path: '/restaurantC/restaurant/add', as: 'owner@tiffin.local' },
  { name: 'owner-reviews', path: '/restaurantC/review', as: 'owner@tiffin.local' },
  { name: 'owner-profile', path: '/restaurantC/profile', as: 'owner@tiffin.local' },
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
]

/** Pages of one thing of the demo. */
async function pagesOfThings(): Promise<Shot[]> {
  const [owner, customer] = [await login(demo.owner), await login(demo.customer)]
  const { restaurant, dishes } = await restaurantOf(owner.id)
  const [order] = z.array(orderSchema).parse(await call('GET', '/api/v1/orders', { token: customer.token }))
  const [delivery] = z.array(deliverySchema).parse(await call('GET', '/api/v1/delivery', { token: customer.token }))
  if (dishes[0] === undefined || order === undefined || delivery === undefined) throw new Error('the demo has no orders')
  const as = customer.email
  const checkout = `?checkout=${order.checkoutId}`
  return [
    { name: 'restaurant', path: `/restaurant/${restaurant._id}` },
    { name: 'product', path: `/product/${dishes[0]._id}` },
    { name: 'booking', path: `/bookingconfirmation${checkout}`, as },
    { name: 'payment', path: `/payment${checkout}`, as },
    { name: 'track', path: `/track/${delivery._id}`, as },
  ]
}

let browser: Browser
beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  browser = await launch()
})
afterAll(async () => { await browser.close() })

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test(`every page at ${String(width)} px, ${colorScheme}`, async () => {
      const unproven = await newPerson('customer', { verified: false })
      const pages = [...PAGES, ...(await pagesOfThings()), { name: 'verify-email', path: '/verify-email', as: unproven.email }]
      for (const email of [undefined, unproven.email, 'customer@tiffin.local', 'owner@tiffin.local', 'driver@tiffin.local', 'admin@tiffin.local']) {
        const context = await browser.newContext({
          baseURL: URL_OF_PLATFORM,
          colorScheme,
          viewport: { width, height: 900 },
        })
        const page = await context.newPage()
        if (email !== undefined) {
          await page.goto('/config.json')
          await signIn(page, { email, password: unproven.password })
        }
        for (const one of pages.filter((one) => one.as === email)) {
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
