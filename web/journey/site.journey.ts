import { expect } from 'vitest'

import { SERVICES } from '../src/lib/services'

import { confirmOrder, newRestaurantWithItem, newOrders } from './restaurants'
import { newAccount } from './accounts'
import { call } from './platform'
import { seen } from './spec/seen'
import { test } from './test'

test('an address that is no page says so', async ({ visit }) => {
  const page = await visit('/nowhere')
  await seen(page, 'not found', { text: 'all' })
  await seen(page, 'routes', { route: ['/{any other path}'] })
})

test('the outline is painted before any other file is there', async ({ visit }) => {
  const page = await visit('/favicon.svg', { colorScheme: 'dark' })
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/**', async (route) => {
    await released
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  const paints = () => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length)
  await expect.poll(paints).toBe(1)
  const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const before = await colour()
  release()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('.outline').waitFor({ state: 'detached' })
  expect(await colour(), 'the colour of the page stays').toBe(before)
})

test('old addresses lead to their pages', async ({ visit }) => {
  const page = await visit('/', { as: await newAccount() })
  await seen(page, 'routes', { route: ['/menu -> /item', '/order -> /profile'] })
})

test('the testing page shows the build, every service and the live latency', async ({ visit }) => {
  const page = await visit('/testing')
  await seen(page, 'routes', { route: ['/testing'] })
  await expect.poll(() => page.getByTestId('build').textContent()).toMatch(/^\d+\.\d+\.\d+, built /)
  for (const { name } of SERVICES.filter(({ name }) => name !== 'live')) {
    await page.locator(`[data-service=${name}]`).getByText('Up').waitFor()
  }
  await page.getByTestId('live').getByText(/^\d+ ms$/).waitFor()
})

test('the site speaks three languages and remembers which', async ({ visit }) => {
  const page = await visit('/')
  await page.getByRole('button', { name: 'Language and appearance' }).click()
  await page.getByRole('menuitemradio', { name: 'සිංහල' }).click()
  await page.getByRole('heading', { level: 1, name: 'රසවත් ආහාර, ඔබ වෙත එන ගමන්.' }).waitFor()
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('si')
  await page.goto('/item')
  await page.getByRole('heading', { level: 1, name: 'ආහාර' }).waitFor()
  await page.getByRole('contentinfo').getByRole('button', { name: 'தமிழ்' }).click()
  await page.getByRole('heading', { level: 1, name: 'உணவுகள்' }).waitFor()
})

test('a customer is notified of an order on any page, in the title too, and of changes while offline', async ({ visit }) => {
  const { owner, item } = await newRestaurantWithItem()
  const [customer, driver] = [await newAccount(), await newAccount('delivery')]
  const [order] = await newOrders(customer, [item._id])
  if (order === undefined) throw new Error('one order')
  const page = await visit('/restaurant', { as: customer })
  // The page knows the order as it was, or nothing of it would be news.
  const known = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/v1/orders' && answer.ok())
  await page.reload()
  await known
  await page.getByRole('article').first().waitFor()
  await page.waitForLoadState('networkidle')

  await confirmOrder(owner, order.orderId, driver)
  await page.getByText(`Order ${order.orderId}: Confirmed`).waitFor()
  await expect.poll(async () => await page.title()).toContain(`${order.orderId}: Confirmed`)
  await page.getByRole('button', { name: /^Notifications, \d+ unread$/ }).click()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  await page.keyboard.press('Escape')

  await page.context().setOffline(true)
  await page.getByText('You are offline.', { exact: false }).waitFor()
  const token = owner.token
  await call('PUT', `/api/v1/orders/status/${order.orderId}`, { token, body: { status: 'preparing' } })
  await page.context().setOffline(false)
  await page.getByText(`Order ${order.orderId}: Preparing`).waitFor()
})
