import type { Locator, Page } from 'playwright-core'
import * as v from 'valibot'
import { expect } from 'vitest'

import { confirmOrder, newRestaurantWithItem } from '../restaurants'
import { login, newAccount } from '../accounts'
import { call, eventually, orderSchema } from '../platform'
import { test } from '../test'

/** More stops than any page of the site has. */
const STOPS = 150

test('the keyboard alone signs in, orders, pays and follows the delivery', async ({ visit }) => {
  const { owner, item } = await newRestaurantWithItem()
  const [customer, driver] = [await newAccount(), await newAccount('delivery')]
  const page = await visit('/login')
  await tabTo(page, page.getByLabel('Email'))
  await page.keyboard.type(customer.email)
  await tabTo(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(customer.password)
  await page.keyboard.press('Enter')
  await page.waitForURL(({ pathname }) => pathname === '/')

  await tabTo(page, page.getByRole('searchbox'))
  await page.keyboard.type(item.name)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/item?q=*')
  await press(page, page.getByRole('button', { name: `Add ${item.name} to cart` }))
  await press(page, page.getByRole('link', { name: 'Cart, 1 item' }))
  await page.waitForURL('**/cart')
  await press(page, page.getByRole('button', { name: `One more ${item.name}` }))
  await page.getByTestId('cart-total').filter({ hasText: 'Rs. 1,500.00' }).waitFor()
  await press(page, page.getByRole('button', { name: 'Place Order' }))
  await page.waitForURL('**/bookingconfirmation**')

  await press(page, page.getByRole('link', { name: 'Proceed to payment' }))
  await page.waitForURL('**/payment**')
  for (const [field, typed] of [['Card number', '5555555555554444'], ['Expiry', '1234'], ['CVV', '123']] as const) {
    await tabTo(page, page.getByLabel(field))
    await page.keyboard.type(typed)
  }
  await press(page, page.getByRole('button', { name: /^Pay Rs/ }))
  await page.getByText('Thank you! Your order is paid.').waitFor()

  const order = await eventually(async () => v.parse(v.array(orderSchema), await call('GET', '/api/v1/orders', { token: customer.token }))[0])
  await confirmOrder(await login(owner), order.orderId, driver)
  await press(page, page.getByRole('banner').getByRole('link', { name: 'Profile' }))
  await press(page, page.getByRole('link', { name: `Follow ${order.orderId}` }))
  await page.waitForURL('**/track/**')
  await page.getByRole('heading', { name: 'Assigned' }).waitFor()
})

test('the first stop of a page leads past its header', async ({ visit }) => {
  const page = await visit('/item')
  await page.getByRole('article').first().waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect.poll(() => page.locator(':focus').evaluate((element) => element.closest('main') !== null)).toBe(true)
})

/** Goes from stop to stop until an element has the focus, which must be seen there. */
async function tabTo(page: Page, target: Locator) {
  await target.waitFor()
  for (let stops = 0; !(await isFocused(target)); stops += 1) {
    if (stops === STOPS) throw new Error(`${target.toString()} is no stop of the keyboard on ${page.url()}`)
    await page.keyboard.press('Tab')
  }
  expect(await target.evaluate((element) => element.matches(':focus-visible')), target.toString()).toBe(true)
}

async function press(page: Page, target: Locator) {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

async function isFocused(target: Locator): Promise<boolean> {
  return await target.evaluate((element) => element === document.activeElement)
}
