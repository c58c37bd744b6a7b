import { expect } from 'vitest'
import * as v from 'valibot'

import { newAccount } from '../accounts'
import { expectAccessible } from '../axe'
import { expectNoHorizontalScroll } from '../layout'
import { call, eventually } from '../platform'
import { confirmOrder, newOrders, newRestaurantWithItem } from '../restaurants'
import { test } from '../test'
import { viewports } from './viewports'

/** The customer's door, some three kilometres from the restaurant. */
const DOOR = { lat: 6.8932, lng: 79.8568 }
const RANGE = /\d+–\d+ min$/

/** A customer whose profile has the door. */
async function newCustomerAtDoor() {
  const customer = await newAccount()
  await call('PUT', `/api/v1/users/update/${customer.id}`, { token: customer.token, body: DOOR })
  return customer
}

/** Waits until the delivery service knows where a restaurant is. */
async function isEstimated(restaurantId: string) {
  await eventually(async () => {
    const path = `/api/v1/delivery/estimates?lat=${String(DOOR.lat)}&lng=${String(DOOR.lng)}&restaurants=${restaurantId}`
    return v.parse(v.array(v.unknown()), await call('GET', path))[0]
  })
}

test.for(viewports)('the time of delivery is shown before ordering, at $width px', async ({ width, colorScheme }, { visit }) => {
  const { restaurant, item } = await newRestaurantWithItem()
  await isEstimated(restaurant._id)
  const page = await visit(`/restaurant/${restaurant._id}`, { as: await newCustomerAtDoor(), width, colorScheme })
  await page.getByTestId('delivery-time').filter({ hasText: RANGE }).waitFor()
  await page.goto('/restaurant')
  await page.getByTestId('delivery-time').filter({ hasText: RANGE }).first().waitFor()
  await expectAccessible(page)
  await page.evaluate((kept) => { localStorage.setItem('cart', kept) }, JSON.stringify({ orderItem: [{ key: item._id, qty: 1 }] }))
  await page.goto('/cart')
  await page.getByTestId('arrival-estimate').filter({ hasText: RANGE }).waitFor()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
})

test('a guest sees no time of delivery, and is asked for a place', async ({ visit }) => {
  const { restaurant, item } = await newRestaurantWithItem()
  const page = await visit(`/restaurant/${restaurant._id}`)
  await page.getByRole('button', { name: `Add ${item.name} to cart` }).click()
  await page.waitForLoadState('networkidle')
  expect(await page.getByTestId('delivery-time').filter({ hasText: RANGE }).count()).toBe(0)
  await page.goto('/cart')
  await page.getByText('Set your place to see when it arrives.').waitFor()
})

const arrivalSchema = v.array(v.object({ _id: v.string(), earliestArrival: v.nullish(v.string()) }))
const accuracySchema = v.object({ all: v.nullish(v.object({ shown: v.number() })) })

test.for(viewports)('an owner sees how often the shown times held, at $width px', async ({ width, colorScheme }, { visit }) => {
  const { owner, restaurant, item } = await newRestaurantWithItem()
  const [customer, driver] = [await newAccount(), await newAccount('delivery')]
  const page = await visit('/restaurantC/figures', { as: owner, width, colorScheme })
  await page.getByText('No arrival times have been shown in these days.').waitFor()

  const [order] = await newOrders(customer, [item._id], DOOR)
  if (order === undefined) throw new Error('nothing was ordered')
  const { _id } = await confirmOrder(owner, order.orderId, driver)
  await eventually(async () => {
    const deliveries = v.parse(arrivalSchema, await call('GET', '/api/v1/delivery', { token: customer.token }))
    return deliveries.find((one) => one._id === _id)?.earliestArrival ?? undefined
  })
  for (const status of ['on the way', 'delivered']) {
    await call('PUT', `/api/v1/delivery/update/${_id}`, { token: driver.token, body: { status } })
  }
  await eventually(async () => v.parse(accuracySchema, await call('GET', '/api/v1/delivery/accuracy', { token: owner.token })).all ?? undefined)

  await page.reload()
  const section = page.getByTestId('accuracy')
  await section.getByText(/^Too few to judge: \d times? so far\.$/).waitFor()
  await section.getByRole('table', { name: 'Arrivals by restaurant' }).getByRole('row', { name: restaurant.name }).waitFor()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
})
