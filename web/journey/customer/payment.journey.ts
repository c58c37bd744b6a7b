import { type Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'

import { expectAccessible } from '../axe'
import { newItem, newRestaurantWithItem, newOrders } from '../restaurants'
import { expectNoHorizontalScroll } from '../layout'
import { newAccount, type Account } from '../accounts'
import { call, eventually } from '../platform'
import { seen } from '../spec/seen'
import { refuseCall, test } from '../test'
import { viewports } from './viewports'

let customer: Account
let dishes: string[]

beforeAll(async () => {
  customer = await newAccount()
  const { owner, restaurant, item } = await newRestaurantWithItem()
  dishes = [item._id, (await newItem(owner, restaurant._id, { name: 'Watalappan', price: 333.33 }))._id]
})

async function checkout(): Promise<string> {
  const [order] = await newOrders(customer, dishes)
  if (order === undefined) throw new Error('nothing was ordered')
  return order.checkoutId
}

async function fill(page: Page, number: string, expiry = '12/34', cvv = '123') {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry').fill(expiry)
  await page.getByLabel('CVV').fill(cvv)
}

const pay = (page: Page) => page.getByRole('button', { name: /^Pay Rs/ })

test('a booking that is none says so', async ({ visit }) => {
  const page = await visit('/bookingconfirmation', { as: customer })
  await seen(page, 'booking', { text: ['Booking details not found.'] })
  await seen(page, 'routes', { route: ['/bookingconfirmation'] })
  await expectAccessible(page)
})

test.for(viewports)('from the booking to a paid checkout, at $width px', async ({ width, colorScheme }, { visit }) => {
  const id = await checkout()
  const page = await visit(`/bookingconfirmation?checkout=${id}`, { as: customer, width, colorScheme })
  await page.getByText('Thank you! Your order is placed.').waitFor()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await page.getByRole('link', { name: 'Proceed to payment' }).click()
  await seen(page, 'routes', { route: ['/payment'] })
  await seen(page, 'payment', { text: ['Card', 'PayPal', 'Bank Transfer'] })
  await fill(page, '1234', '13/20', '1')
  await pay(page).click()
  await seen(page, 'payment', { text: ['Invalid card number', 'Invalid expiry (MM/YY)', 'Invalid CVV'] })
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)

  await fill(page, '4000000000000002')
  await pay(page).click()
  await seen(page, 'payment', { text: ['Payment failed.'] })
  await fill(page, '5555555555554444')
  await page.getByText('Mastercard').waitFor()
  await pay(page).click()
  await page.getByText('Thank you! Your order is paid.').waitFor()
  await page.waitForURL(({ pathname }) => pathname === '/')

  await page.goto(`/payment?checkout=${id}`)
  await page.getByText('Everything is paid.').waitFor()
  await expectAccessible(page)
})

test('a partly paid checkout continues where it stopped', async ({ visit }) => {
  const id = await checkout()
  const page = await visit(`/payment?checkout=${id}`, { as: customer })
  await page.getByText('PayPal').click()
  const asked: string[] = []
  await page.route('**/api/v1/payment', async (route) => {
    if (route.request().method() === 'POST') asked.push(route.request().postData() ?? '')
    // The second is lost on its way back: the money is taken, the page does not know.
    if (asked.length === 2 && route.request().method() === 'POST') {
      await route.fetch()
      return await route.abort('connectionfailed')
    }
    return await route.fallback()
  })
  await pay(page).click()
  // Whatever was taken is not asked for again.
  await page.getByText('Everything is paid.').waitFor()
  const made = await call('GET', '/api/v1/payment', { token: customer.token })
  expect(made).toSatisfy((list: unknown) => Array.isArray(list) && new Set(list.map(({ bookingId }) => bookingId)).size === list.filter(({ status }) => status === 'captured').length)
})

test('a lost call is made again, and only that one', async ({ visit }) => {
  const id = await checkout()
  const page = await visit(`/payment?checkout=${id}`, { as: customer })
  await refuseCall(page, 'POST', '/api/v1/payment')
  await page.getByText('Bank Transfer').click()
  await pay(page).click()
  await seen(page, 'payment', { text: ['Payment failed.'] })
  await pay(page).click()
  await page.getByText('Thank you! Your order is paid.').waitFor()
})

test('who paid is thanked even when the socket knew it first', async ({ visit }) => {
  const id = await checkout()
  const page = await visit(`/payment?checkout=${id}`, { as: customer })
  let answer: () => void = () => undefined
  const held = new Promise<void>((resolve) => { answer = resolve })
  await page.getByText('PayPal').click()
  await page.route('**/api/v1/payment', async (route) => {
    if (route.request().method() !== 'POST') return await route.fallback()
    const response = await route.fetch()
    await held
    return await route.fulfill({ response })
  })
  // One of the two is paid elsewhere, so that the held answer is the last.
  await pay(page).click()
  const [, second] = await page.getByTestId('due').all()
  const code = await second?.getAttribute('data-order')
  const due = (await page.getByTestId('due').nth(1).textContent())?.match(/Rs\. ([\d.,]+)/)?.[1]?.replace(',', '')
  await call('POST', '/api/v1/payment', { token: customer.token, body: { bookingId: code, amount: Number(due), paymentType: 'PayPal' } })
  await page.getByText('Everything is paid.').waitFor()
  answer()
  await page.getByText('Thank you! Your order is paid.').waitFor()
  await page.waitForURL(({ pathname }) => pathname === '/')
})

test('the share of a dear dish pays nothing once the cheap one is called off; one action pays what is left', async ({ visit }) => {
  const orders = (await newOrders(customer, dishes)).toSorted((a, b) => b.totalAmount - a.totalAmount)
  const [dear, cheap] = orders
  if (dear === undefined || cheap === undefined) throw new Error('two were to be ordered')
  const { token } = customer
  const total = orders.reduce((sum, { totalAmount }) => sum + Math.round(totalAmount * 100), 0)
  const body = { bookingId: dear.orderId, amount: Math.round(total / orders.length) / 100, paymentType: 'PayPal' }
  // The payment service consumes events of new orders.
  await eventually(async () => await call('POST', '/api/v1/payment', { token, body }).catch(() => undefined))
  await call('POST', `/api/v1/orders/cancel/${cheap.orderId}`, { token })

  const page = await visit(`/payment?checkout=${dear.checkoutId}`, { as: customer, width: 390 })
  await page.getByText('Left to pay').waitFor()
  await page.getByTestId('due').getByText('To pay').waitFor()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  const isPaid = async () => {
    const list = await call('GET', '/api/v1/orders', { token })
    return Array.isArray(list) && list.some(({ orderId, isPaid }) => orderId === dear.orderId && isPaid === true)
  }
  expect(await isPaid()).toBe(false)
  await page.getByText('PayPal').click()
  await pay(page).click()
  await page.getByText('Thank you! Your order is paid.').waitFor()
  await eventually(async () => ((await isPaid()) ? true : undefined))
})

test('an invoice opens in a new tab', async ({ visit }) => {
  const id = await checkout()
  const page = await visit(`/payment?checkout=${id}`, { as: customer })
  await page.getByText('PayPal').click()
  await pay(page).click()
  await page.waitForURL(({ pathname }) => pathname === '/')
  await page.goto(`/payment?checkout=${id}`)
  const opened = page.context().waitForEvent('page')
  await page.getByRole('button', { name: /^Invoice of/ }).first().click()
  const invoice = await opened
  await invoice.getByText(/Watalappan|Kottu/).first().waitFor()
})
