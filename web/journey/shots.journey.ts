import { mkdirSync } from 'node:fs'
import path from 'node:path'

import { type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import * as v from 'valibot'

import { launch, URL_OF_PLATFORM } from './browser'
import { newOrders } from './restaurants'
import { type Credentials, demo, login, newAccount, signIn } from './accounts'
import { call, deliverySchema, orderSchema, restaurantOf } from './platform'

const folder = process.env.TIFFIN_SHOTS ?? 'shots'
const WIDTHS = [1920, 1280, 1024, 390]
const HEIGHT = 900

/** A page's role and address. */
interface Shot {
  name: string
  path: string
  as?: Credentials
  /** Dishes in the cart. */
  cart?: string[]
  /** The owner's view of orders. */
  view?: 'table' | 'board'
}

const PAGES: Shot[] = [
  { name: 'home', path: '/' },
  { name: 'restaurants', path: '/restaurant' },
  { name: 'items', path: '/item' },
  { name: 'login', path: '/login' },
  { name: 'register', path: '/register' },
  { name: 'restaurant-signup', path: '/restaurant-signup' },
  { name: 'driver-signup', path: '/driver-signup' },
  { name: 'forgot-password', path: '/forgot-password' },
  { name: 'reset-password', path: '/reset-password' },
  { name: 'testing', path: '/testing' },
  { name: 'not-found', path: '/nowhere' },
  { name: 'cart-empty', path: '/cart' },
  { name: 'profile', path: '/profile', as: demo.customer },
  { name: 'location', path: '/location', as: demo.customer },
  { name: 'contact', path: '/contact', as: demo.customer },
  { name: 'owner-orders', path: '/restaurantC/booking', as: demo.owner },
  { name: 'owner-board', path: '/restaurantC/booking', as: demo.owner, view: 'board' },
  { name: 'owner-figures', path: '/restaurantC/figures', as: demo.owner },
  { name: 'owner-restaurant-add', path: '/restaurantC/restaurant/add', as: demo.owner },
  { name: 'owner-reviews', path: '/restaurantC/review', as: demo.owner },
  { name: 'owner-profile', path: '/restaurantC/profile', as: demo.owner },
  { name: 'owner-restaurants', path: '/restaurantC/restaurant', as: demo.owner },
  { name: 'driver-track', path: '/driver/track', as: demo.driver },
  { name: 'driver-available', path: '/driver/available', as: demo.driver },
  { name: 'admin-dashboard', path: '/admin/', as: demo.admin },
  { name: 'admin-orders', path: '/admin/booking', as: demo.admin },
  { name: 'admin-items', path: '/admin/item', as: demo.admin },
  { name: 'admin-restaurants', path: '/admin/package', as: demo.admin },
  { name: 'admin-users', path: '/admin/user', as: demo.admin },
  { name: 'admin-reviews', path: '/admin/review', as: demo.admin },
  { name: 'admin-inquiries', path: '/admin/inquiry', as: demo.admin },
  { name: 'admin-payments', path: '/admin/payment', as: demo.admin },
  { name: 'operator-streams', path: '/admin/events', as: demo.admin },
  { name: 'operator-events', path: '/admin/events/search', as: demo.admin },
  { name: 'operator-timeline', path: '/admin/events/timeline', as: demo.admin },
  { name: 'operator-replays', path: '/admin/events/replays', as: demo.admin },
  { name: 'operator-models', path: '/admin/events/models', as: demo.admin },
  { name: 'operator-dead-letters', path: '/admin/events/dead', as: demo.admin },
  { name: 'operator-operations', path: '/admin/events/operations', as: demo.admin },
  { name: 'operator-capacity', path: '/admin/events/capacity', as: demo.admin },
  { name: 'admin-profile', path: '/admin/profile', as: demo.admin },
]

/** Pages of one thing: of the demo, or made for the picture. */
async function pagesOfThings(): Promise<Shot[]> {
  const [owner, customer, unproven] = [
    await login(demo.owner),
    await login(demo.customer),
    await newAccount('customer', { verified: false }),
  ]
  const { restaurant, dishes } = await restaurantOf(owner.id)
  const [order] = v.parse(v.array(orderSchema), await call('GET', '/api/v1/orders', { token: customer.token }))
  const [delivery] = v.parse(v.array(deliverySchema), await call('GET', '/api/v1/delivery', { token: customer.token }))
  if (dishes[0] === undefined || order === undefined || delivery === undefined) throw new Error('the demo has no orders')
  const chosen = dishes.map((dish) => dish._id)
  const [unpaid] = await newOrders(customer, chosen)
  if (unpaid === undefined) throw new Error('nothing was ordered')
  const as = demo.customer
  return [
    { name: 'restaurant', path: `/restaurant/${restaurant._id}` },
    { name: 'product', path: `/product/${dishes[0]._id}` },
    { name: 'cart', path: '/cart', as, cart: chosen },
    { name: 'booking', path: `/bookingconfirmation?checkout=${order.checkoutId}`, as },
    { name: 'payment', path: `/payment?checkout=${unpaid.checkoutId}`, as },
    { name: 'payment-done', path: `/payment?checkout=${order.checkoutId}`, as },
    { name: 'track', path: `/track/${delivery._id}`, as },
    { name: 'verify-email', path: '/verify-email', as: unproven },
    { name: 'owner-restaurant', path: `/restaurantC/restaurant/edit?id=${restaurant._id}`, as: demo.owner },
    { name: 'owner-items', path: `/restaurantC/restaurant/collection?restaurantId=${restaurant._id}`, as: demo.owner },
    { name: 'owner-item-add', path: `/restaurantC/restaurant/collection/add?restaurantId=${restaurant._id}`, as: demo.owner },
    { name: 'owner-item', path: `/restaurantC/restaurant/collection/update?id=${dishes[0]._id}`, as: demo.owner },
    { name: 'owner-track', path: `/restaurantC/track/${delivery._id}`, as: demo.owner },
    { name: 'admin-item', path: `/admin/item/edit?id=${dishes[0]._id}`, as: demo.admin },
    { name: 'operator-order', path: `/admin/events/timeline/${order._id}`, as: demo.admin },
  ]
}

let browser: Browser
let pages: Shot[]
beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  pages = [...PAGES, ...(await pagesOfThings())]
  browser = await launch()
})
afterAll(async () => { await browser.close() })

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every page at four widths, ${colorScheme}`, async () => {
    for (const account of new Set(pages.map((one) => one.as))) {
      const context = await browser.newContext({ baseURL: URL_OF_PLATFORM, colorScheme })
      const page = await context.newPage()
      await page.goto('/config.json')
      if (account !== undefined) await signIn(page, account)
      for (const one of pages.filter((one) => one.as === account)) await shoot(page, one, colorScheme)
      await context.close()
    }
  })
}

/** Opens a page once and saves how it looks at each width. */
async function shoot(page: Page, { name, path: address, cart = [], view = 'table' }: Shot, colorScheme: string) {
  const kept = {
    cart: JSON.stringify({ orderItem: cart.map((key) => ({ key, qty: 1 })) }),
    orderView: JSON.stringify(view),
  }
  await page.evaluate((values) => { Object.entries(values).forEach(([key, value]) => { localStorage.setItem(key, value) }) }, kept)
  await page.setViewportSize({ width: 1920, height: HEIGHT })
  await page.goto(address)
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT })
    // Maps fetch and draw what their new size shows.
    await page.waitForTimeout(400)
    await page.screenshot({ path: path.join(folder, `${name}-${String(width)}-${colorScheme}.png`) })
  }
}
