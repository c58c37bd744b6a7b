import * as v from 'valibot'
import { expect } from 'vitest'

import { expectAccessible } from './axe'
import { expectNoHorizontalScroll } from './layout'
import { saveLooks } from './looks'
import { newDriver, newOrder, newVerifiedRestaurant } from './owner/restaurant'
import { call, eventually } from './platform'
import { confirmOrder } from './restaurants'
import { test } from './test'

/** A new restaurant that answers within 15 minutes, and an order that waits for its answer. */
async function waitingOrder() {
  const shop = await newVerifiedRestaurant()
  await call('PUT', `/api/v1/restaurant/update/${shop.restaurant._id}`, { token: shop.owner.token, body: { answerMinutes: 15 } })
  // The order service learns of the minutes from an event.
  const order = await eventually(async () => {
    const placed = await newOrder(shop)
    const list = v.parse(v.array(waitingSchema), await call('GET', '/api/v1/orders', { token: shop.customer.token }))
    const answerBy = list.find(({ orderId }) => orderId === placed.orderId)?.answerBy ?? ''
    return Date.parse(answerBy) > Date.now() + 12 * 60_000 ? placed : undefined
  })
  return { ...shop, order }
}

const waitingSchema = v.object({ orderId: v.string(), answerBy: v.nullable(v.string()) })

test('an order that waits says until when it is answered, to both sides, until it is', async ({ visit }) => {
  const { owner, customer, order } = await waitingOrder()
  const orderPage = await visit(`/bookingconfirmation?checkout=${order.checkoutId}`, { as: customer })
  const said = /If the restaurant does not answer by .+, the order is refused and what you paid comes back to you\./
  await orderPage.getByText(said).waitFor()
  await expectAccessible(orderPage)
  await expectNoHorizontalScroll(orderPage)
  await saveLooks(orderPage, 'waiting-order')
  const profile = await visit('/profile', { as: customer })
  await profile.locator(`[data-testid=waiting-order][data-order="${order.orderId}"]`).getByText(said).waitFor()
  await saveLooks(profile, 'waiting-profile')

  const board = await visit('/restaurantC/booking', { as: owner })
  await board.getByText('Board', { exact: true }).click()
  const ticket = board.getByRole('article', { name: `Order ${order.orderId}` })
  await ticket.getByText(/^1[45] min to answer$/).waitFor()
  await expectAccessible(board)
  await saveLooks(board, 'board-waiting')
  await confirmOrder(owner, order.orderId, await newDriver())
  await orderPage.getByText(said).waitFor({ state: 'detached' })
  await ticket.getByText(/min to answer/).waitFor({ state: 'detached' })
})

test('an owner chooses the minutes to answer in and a second contact', async ({ visit }) => {
  const { owner, restaurant } = await waitingOrder()
  const edit = await visit('/restaurantC/restaurant', { as: owner })
  await edit.getByRole('link', { name: /^Edit: / }).click()
  const minutes = edit.getByLabel('Minutes to answer an order')
  await expect.poll(async () => await minutes.inputValue()).toBe('15')
  await minutes.fill('2')
  await edit.getByRole('button', { name: 'Update' }).click()
  await edit.getByText('Please enter a whole number from 3 to 60.').waitFor()
  await expectAccessible(edit)
  await saveLooks(edit, 'restaurant-minutes')
  await minutes.fill('20')
  await minutes.press('Enter')
  await edit.getByRole('article').first().waitFor()
  const saved = v.parse(v.object({ answerMinutes: v.number() }), await call('GET', `/api/v1/restaurant/getOne/${restaurant._id}`))
  expect(saved.answerMinutes).toBe(20)

  const profile = await visit('/restaurantC/profile', { as: owner })
  const contact = profile.getByRole('region', { name: 'Second contact' })
  const address = contact.getByLabel('Email address')
  await address.fill('chef@')
  await address.press('Enter')
  await contact.getByText('Please enter a valid email address.').waitFor()
  await expectAccessible(profile)
  await contact.scrollIntoViewIfNeeded()
  await saveLooks(profile, 'second-contact')
  await address.fill('chef@tiffin.local')
  await address.press('Enter')
  await profile.getByText('The second contact is saved.').waitFor()
  const preferences = await call('GET', '/api/v1/notification/preferences', { token: owner.token })
  expect(v.parse(v.object({ secondContact: v.string() }), preferences).secondContact).toBe('chef@tiffin.local')
})

test('an owner pauses a restaurant and says that it is busy, and customers see both', async ({ visit }) => {
  const { owner, restaurant, item } = await newVerifiedRestaurant()
  const panel = await visit('/restaurantC/restaurant', { as: owner })
  const pause = panel.getByLabel(`Pause: ${restaurant.name}`)
  await pause.selectOption('Pause for 30 minutes')
  await panel.getByText(/^Paused until \d/).first().waitFor()
  const kitchen = panel.getByLabel(`Kitchen: ${restaurant.name}`)
  await kitchen.selectOption('Busy for an hour: +20 min')
  await expect.poll(async () => await kitchen.inputValue()).toBe('busy')
  await expectAccessible(panel)
  await expectNoHorizontalScroll(panel)
  await saveLooks(panel, 'pause-controls')

  const page = await visit(`/restaurant/${restaurant._id}`)
  await page.getByText(/^Paused until \d/).first().waitFor()
  await page.getByText('Busy: 20 min longer').waitFor()
  await expectAccessible(page)
  await saveLooks(page, 'paused-restaurant')
  const body = { orderItem: [{ key: item._id, qty: 1 }] }
  // The order service learns of the pause from an event.
  await expect
    .poll(async () => await call('POST', '/api/v1/orders/quote', { body }).then(() => '', String))
    .toMatch(/order\.restaurant-paused/)

  await pause.selectOption('Takes orders')
  await expect.poll(async () => await pause.inputValue()).toBe('none')
  await panel.getByText('Open', { exact: true }).waitFor()
  await eventually(async () => await call('POST', '/api/v1/orders/quote', { body }).catch(() => undefined))
})
