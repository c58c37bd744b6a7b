import { type Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import * as v from 'valibot'

import { newAccount, type Account } from './accounts'
import { expectAccessible } from './axe'
import { URL_OF_PLATFORM } from './browser'
import { viewports } from './customer/viewports'
import { expectNoHorizontalScroll } from './layout'
import { saveLooks } from './looks'
import { call, eventually } from './platform'
import { newItem, newOrders, newRestaurantWithItem } from './restaurants'
import { test } from './test'

// Payments on a platform whose provider is Stripe, by the script and the server of localstripe at TIFFIN_STRIPE.

const STRIPE = process.env['TIFFIN_STRIPE'] ?? ''
const GOOD = '4242424242424242'
const DECLINED = '4000000000000341'
const ASKS = '4000002500003155'

let customer: Account
let dishes: string[]

beforeAll(async () => {
  customer = await newAccount()
  const { owner, restaurant, item } = await newRestaurantWithItem()
  dishes = [item._id, (await newItem(owner, restaurant._id, { name: 'Watalappan', price: 333.33 }))._id]
  const url = `${URL_OF_PLATFORM}/api/v1/payment/stripe/webhook`
  const answer = await fetch(`${STRIPE}/_test/webhook`, {
    method: 'POST',
    body: JSON.stringify({ url, secret: 'whsec_of_this_test_alone' }),
  })
  expect(answer.ok).toBe(true)
})

async function checkout(count = 1): Promise<string> {
  const [order] = await newOrders(customer, dishes.slice(0, count))
  if (order === undefined) throw new Error('nothing was ordered')
  return `/payment?checkout=${order.checkoutId}`
}

/** Types a card into the field of Stripe's script. */
async function fill(page: Page, number: string) {
  const field = page.getByTestId('stripe-card')
  await field.getByPlaceholder('number').fill(number)
  await field.getByPlaceholder('exp_month').fill('12')
  await field.getByPlaceholder('exp_year').fill('34')
  await field.getByPlaceholder('cvc').fill('737')
}

const pay = (page: Page) => page.getByRole('button', { name: /^Pay Rs/ }).click()
const press = (page: Page, name: string) => page.getByRole('button', { name }).click()
const thanked = (page: Page) => page.getByText('Thank you! Your order is paid.').waitFor()

const paymentsSchema = v.array(v.object({ status: v.string(), checkoutId: v.string() }))

async function statuses(path: string): Promise<string[]> {
  const all = v.parse(paymentsSchema, await call('GET', '/api/v1/payment', { token: customer.token }))
  return all.filter(({ checkoutId }) => path.endsWith(checkoutId)).map(({ status }) => status)
}

test.for(viewports)('a checkout is paid in the field of Stripe, at $width px', async ({ width, colorScheme }, { visit }) => {
  const path = await checkout(2)
  const page = await visit(path, { as: customer, width, colorScheme })
  await page.getByTestId('stripe-card').getByPlaceholder('number').waitFor()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  expect(await page.getByText('PayPal').count()).toBe(0)
  expect(await page.getByLabel('Card number').count()).toBe(0)
  await fill(page, GOOD)
  const bodies: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(URL_OF_PLATFORM)) bodies.push(request.postData() ?? '')
  })
  await pay(page)
  await thanked(page)
  expect(await statuses(path)).toEqual(['captured', 'captured'])
  expect(bodies.join('\n')).toContain('tok_')
  expect(bodies.join('\n')).not.toContain('4242')
  await page.goto(path)
  await page.getByText('Everything is paid.').waitFor()
})

test('a declined card makes room for another', async ({ visit }) => {
  const path = await checkout()
  const page = await visit(path, { as: customer, width: 390 })
  await pay(page)
  await page.getByText("Please check your card's details.").waitFor()
  await fill(page, DECLINED)
  await pay(page)
  await page.getByText('Payment failed.').waitFor()
  await expectAccessible(page)
  await saveLooks(page, 'stripe-declined')
  await fill(page, GOOD)
  await pay(page)
  await thanked(page)
  expect(await statuses(path)).toEqual(['captured', 'declined'])
})

test('a bank asks, and the customer confirms', async ({ visit }) => {
  const path = await checkout()
  const page = await visit(path, { as: customer })
  await fill(page, ASKS)
  await pay(page)
  await press(page, 'Complete authentication')
  await thanked(page)
  expect(await statuses(path)).toEqual(['captured'])
})

test('a bank asks, the customer refuses and pays with another card', async ({ visit }) => {
  const path = await checkout()
  const page = await visit(path, { as: customer })
  await fill(page, ASKS)
  await pay(page)
  await press(page, 'Fail authentication')
  await page.getByText('Payment failed.').waitFor()
  await fill(page, GOOD)
  await pay(page)
  await thanked(page)
  expect(await statuses(path)).toEqual(['captured', 'declined'])
})

test('a page that is closed while the bank asks goes on where it stopped', async ({ visit }) => {
  const path = await checkout()
  const closed = await visit(path, { as: customer })
  await fill(closed, ASKS)
  await pay(closed)
  await closed.getByRole('button', { name: 'Complete authentication' }).waitFor()
  await closed.close()
  const page = await visit(path, { as: customer, width: 390 })
  await page.getByText('Your bank asks you to confirm the payment.').waitFor()
  await page.getByRole('button', { name: 'Confirm now' }).waitFor()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await saveLooks(page, 'stripe-confirm')
  await press(page, 'Confirm now')
  await press(page, 'Complete authentication')
  await page.getByText('Everything is paid.').waitFor()
  expect(await statuses(path)).toEqual(['captured'])
})

test('who does not confirm pays in another way', async ({ visit }) => {
  const path = await checkout()
  const closed = await visit(path, { as: customer })
  await fill(closed, ASKS)
  await pay(closed)
  await closed.getByRole('button', { name: 'Complete authentication' }).waitFor()
  await closed.close()
  const page = await visit(path, { as: customer })
  await press(page, 'Pay in another way')
  await fill(page, GOOD)
  await pay(page)
  await thanked(page)
  expect(await statuses(path)).toEqual(['captured', 'declined'])
})

test('what was paid while the page was closed is paid', async ({ visit }) => {
  const path = await checkout()
  const closed = await visit(path, { as: customer })
  await fill(closed, GOOD)
  // The answer never reaches the page.
  await closed.route('**/api/v1/payment', async (route) => {
    if (route.request().method() !== 'POST') return await route.fallback()
    await route.fetch()
    await closed.close()
  })
  await pay(closed)
  await eventually(async () => ((await statuses(path))[0] === 'captured' ? true : undefined))
  const page = await visit(path, { as: customer })
  await page.getByText('Everything is paid.').waitFor()
})

test('a script that is blocked says so, and comes with another try', async ({ visit }) => {
  const path = await checkout()
  const page = await visit('/', { as: customer, width: 390 })
  await page.route(`${STRIPE}/js.stripe.com/**`, async (route) => { await route.abort() })
  await page.goto(path)
  await page.getByText(/^The card field can't be loaded\./).waitFor()
  expect(await page.getByRole('button', { name: /^Pay Rs/ }).isDisabled()).toBe(true)
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await saveLooks(page, 'stripe-blocked')
  await page.unroute(`${STRIPE}/js.stripe.com/**`)
  await press(page, 'Try again')
  await fill(page, GOOD)
  await pay(page)
  await thanked(page)
})
