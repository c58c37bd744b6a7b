import { beforeAll, expect } from 'vitest'

import { expectAccessible } from '../axe'
import { newItem, newRestaurantWithItem } from '../restaurants'
import { expectNoHorizontalScroll } from '../layout'
import { newAccount, type Account } from '../accounts'
import { call } from '../platform'
import { seen } from '../spec/seen'
import { holdScripts, refuseCall, test } from '../test'
import { viewports } from './viewports'

const SCRIPT = '<script>document.title="taken"</script>'

let customer: Account
let kitchen: Awaited<ReturnType<typeof newRestaurantWithItem>>
let scripted: { _id: string }

beforeAll(async () => {
  customer = await newAccount()
  kitchen = await newRestaurantWithItem()
  scripted = await newItem(kitchen.owner, kitchen.restaurant._id, { name: SCRIPT, price: 400 })
})

const cartOf = (...keys: string[]) => JSON.stringify({ orderItem: keys.map((key) => ({ key, qty: 1 })) })

test.for(viewports)('an empty cart says so, at $width px', async ({ width, colorScheme }, { visit }) => {
  const page = await visit('/cart', { as: customer, width, colorScheme })
  await seen(page, 'cart', { text: ['Your cart is empty.'] })
  await seen(page, 'routes', { route: ['/cart'] })
  await expectAccessible(page)
})

test.for(viewports)('counts, quotes and takes a removal back, at $width px', async ({ width, colorScheme }, { visit }) => {
  const page = await visit('/contact', { width, colorScheme })
  await page.evaluate((kept) => { localStorage.setItem('cart', kept) }, cartOf(kitchen.item._id, scripted._id))
  await page.goto('/cart')
  await page.getByText(SCRIPT).waitFor()
  const total = page.getByTestId('cart-total')
  await total.filter({ hasText: 'Rs. 1,150.00' }).waitFor()
  await page.getByRole('button', { name: `One more ${SCRIPT}` }).click()
  await total.filter({ hasText: 'Rs. 1,550.00' }).waitFor()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await page.getByRole('button', { name: `Remove ${SCRIPT}` }).click()
  await total.filter({ hasText: 'Rs. 750.00' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await total.filter({ hasText: 'Rs. 1,550.00' }).waitFor()
  await page.getByRole('button', { name: 'Place Order' }).click()
  await seen(page, 'cart', { text: ['Please Login'] })
  await page.waitForURL('**/login')
})

test.for(viewports)('a note on a dish stays through a reload and goes with the order, at $width px', async ({ width, colorScheme }, { visit }) => {
  const page = await visit('/contact', { as: customer, width, colorScheme })
  await page.evaluate((kept) => { localStorage.setItem('cart', kept) }, cartOf(kitchen.item._id))
  await page.goto('/cart')
  await page.getByRole('button', { name: `Add a note on ${kitchen.item.name}` }).click()
  const note = page.getByLabel(`Note on ${kitchen.item.name}`)
  await note.fill('No onions. Allergic to peanuts.')
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await page.reload()
  await expect.poll(() => note.inputValue()).toBe('No onions. Allergic to peanuts.')
  await page.getByRole('button', { name: 'Place Order' }).click()
  await page.waitForURL('**/bookingconfirmation**')
  await page.getByText('“No onions. Allergic to peanuts.”').waitFor()
})

test('what is gone leaves the cart', async ({ visit }) => {
  const page = await visit('/contact', { as: customer })
  await page.evaluate((kept) => { localStorage.setItem('cart', kept) }, cartOf('01999999-0000-7000-8000-000000000000'))
  await page.goto('/cart')
  await seen(page, 'cart', { text: ['Failed to load item.', 'Your cart is empty.'] })
})

test('an answer that is no booking keeps the cart', async ({ visit }) => {
  const page = await visit('/contact', { as: customer })
  await page.evaluate((kept) => { localStorage.setItem('cart', kept) }, cartOf(kitchen.item._id))
  await page.route('**/api/v1/orders', async (route) => {
    if (route.request().method() !== 'POST') return await route.fallback()
    return await route.fulfill({ status: 201, contentType: 'application/json', body: '{"message":"","orders":[]}' })
  })
  await page.goto('/cart')
  await page.getByRole('button', { name: 'Place Order' }).click()
  await seen(page, 'cart', { text: ['Invalid booking details received.'] })
  await expect.poll(() => page.evaluate(() => localStorage.getItem('cart'))).toBe(cartOf(kitchen.item._id))
})

test('an order that failed once is placed once', async ({ visit }) => {
  const buyer = await newAccount()
  const page = await visit('/contact', { as: buyer })
  await page.evaluate((kept) => { localStorage.setItem('cart', kept) }, cartOf(kitchen.item._id))
  await refuseCall(page, 'POST', '/api/v1/orders', { status: 503, message: 'Not ready.' })
  await page.goto('/cart')
  await page.getByRole('button', { name: 'Place Order' }).click()
  await page.getByText('Not ready.').waitFor()
  await page.getByRole('button', { name: 'Place Order' }).click()
  await page.waitForURL('**/bookingconfirmation**')
  await page.getByText('Thank you! Your order is placed.').waitFor()
  await expect.poll(() => call('GET', '/api/v1/orders', { token: buyer.token })).toHaveLength(1)
})

test('what was ordered stays in sight until the next page is there', async ({ visit }) => {
  const page = await visit('/contact', { as: customer })
  await page.evaluate((kept) => { localStorage.setItem('cart', kept) }, cartOf(kitchen.item._id))
  await page.goto('/cart')
  const order = page.getByRole('button', { name: 'Place Order' })
  await expect.poll(() => order.isEnabled()).toBe(true)
  const scripts = await holdScripts(page)
  await order.click()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('cart'))).toBeNull()
  await expect.poll(scripts.held).toBeGreaterThan(0)
  expect(await page.getByText('Your cart is empty.').count()).toBe(0)
  expect(await page.getByText(kitchen.item.name).first().isVisible()).toBe(true)
  scripts.release()
  await page.getByText('Thank you! Your order is placed.').waitFor()
})
