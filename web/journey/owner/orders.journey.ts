import type { Locator, Page } from 'playwright-core'
import * as v from 'valibot'
import { expect } from 'vitest'

import type { Account } from '../accounts'
import { expectAccessible } from '../axe'
import { expectLabelsFit, expectNoHorizontalScroll, expectToastInHeader } from '../layout'
import { saveLooks } from '../looks'
import { confirmOrder, newItem, newOrders } from '../restaurants'
import { call, deliverySchema, eventually, orderSchema } from '../platform'
import { seen } from '../spec/seen'
import { refuseCall, test } from '../test'
import { newDriver, newVerifiedRestaurant, newOrder } from './restaurant'

function rowOf(page: Page, code: string) {
  return page.locator(`[data-testid=order-row][data-order="${code}"]`)
}

test('the table of orders unfolds items and description', async ({ visit }) => {
  const shop = await newVerifiedRestaurant()
  const { orderId } = await newOrder(shop)
  const page = await visit('/restaurantC/booking', { as: shop.owner })
  await rowOf(page, orderId).waitFor()
  await seen(page, 'owner orders', { route: 'all', column: 'all', option: 'all' })
  await seen(page, 'owner orders', { button: ['Show Description', 'View Items', 'Delete'] })
  await rowOf(page, orderId).getByText('Unpaid', { exact: true }).waitFor()
  await rowOf(page, orderId).getByText(shop.restaurant.name).waitFor()

  await page.getByRole('button', { name: 'Show Description' }).click()
  await page.getByRole('button', { name: 'View Items' }).click()
  await seen(page, 'owner orders', { button: ['Hide Description', 'Hide Items'] })
  await page.getByText('12 Galle Face, Colombo').waitFor()
  // Drivers in a closed select may be called so, too.
  await page.getByText('Nimali Perera').filter({ visible: true }).waitFor()
  await page.getByText('0771234567').waitFor()
  await page.getByText('Quantity: 1 · Price: Rs. 750.00').waitFor()
  await page.getByRole('button', { name: 'Hide Items' }).click()
  await page.getByText('Quantity: 1 · Price: Rs. 750.00').waitFor({ state: 'detached' })
})

test('the table has the orders that a search finds', async ({ visit }) => {
  const shop = await newVerifiedRestaurant()
  const hoppers = await newItem(shop.owner, shop.restaurant._id, { name: 'Egg hoppers' })
  const [{ orderId }, [other]] = [await newOrder(shop), await newOrders(shop.customer, [hoppers._id])]
  const page = await visit('/restaurantC/booking', { as: shop.owner })
  await rowOf(page, orderId).waitFor()
  const search = page.getByRole('searchbox', { name: 'Search orders' })
  await search.fill('egg hop')
  await rowOf(page, orderId).waitFor({ state: 'detached' })
  expect(await page.getByTestId('order-row').count()).toBe(1)
  await rowOf(page, other?.orderId ?? '').waitFor()
  await search.fill(shop.restaurant.name.toUpperCase())
  await rowOf(page, orderId).waitFor()
  expect(await page.getByTestId('order-row').count()).toBe(2)
  await search.fill('no such words')
  await page.getByText('No order matches.').waitFor()
  await expectAccessible(page)
})

test('what is missing of a customer is N/A', async ({ visit }) => {
  const shop = await newVerifiedRestaurant()
  const { orderId } = await newOrder(shop)
  await call('POST', `/api/v1/orders/cancel/${orderId}`, { token: shop.customer.token })
  // The user service knows a moment later that no order is under way any more.
  const leave = async () => await call('DELETE', `/api/v1/users/${shop.customer.id}`, { token: shop.customer.token })
  await eventually(async () => await leave().catch(() => undefined))
  const page = await visit('/restaurantC/booking', { as: shop.owner })
  await expect
    .poll(
      async () => {
        await page.reload()
        await page.getByRole('button', { name: 'Show Description' }).click()
        return await page.getByText('N/A', { exact: true }).count()
      },
      { timeout: 20_000, interval: 500 },
    )
    .toBeGreaterThan(0)
  await seen(page, 'owner orders', { text: ['N/A'] })
})

test('an order is confirmed with a driver, and not without one', async ({ visit }) => {
  const [shop, driver] = [await newVerifiedRestaurant(), await newDriver({ firstName: 'Sunil', lastName: 'Dias' })]
  const { orderId } = await newOrder(shop)
  const page = await visit('/restaurantC/booking', { as: shop.owner })
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') calls.push(new URL(request.url()).pathname)
  })

  const status = page.getByLabel(`Status of ${orderId}`)
  await status.selectOption('confirmed')
  await seen(page, 'owner orders', { text: ['Please select a driver before confirming.'] })
  expect(calls).toEqual([])
  await expectToastInHeader(page, 'Please select a driver before confirming.')

  await page.getByLabel(`Driver for ${orderId}`).selectOption(driver.id)
  await refuseCall(page, 'PUT', '/api/v1/orders/ticket/**', { status: 503 })
  await status.selectOption('confirmed')
  await seen(page, 'owner orders', { text: ['Failed to update status or assign delivery.'] })
  await expect.poll(async () => await status.inputValue()).toBe('pending')
  expect(calls).not.toContain('/api/v1/delivery')

  // The delivery service does not know the order yet.
  await refuseCall(page, 'POST', '/api/v1/delivery', { status: 404 })
  await status.selectOption('confirmed')
  await seen(page, 'owner orders', { text: ['Order status updated to {status}', 'Delivery info saved to database.'] })
  const toast = page.getByRole('status').filter({ hasText: 'Delivery info saved to database.' })
  expect(await toast.textContent()).toContain('Order status updated to confirmed')
  await expectToastInHeader(page, 'Delivery info saved to database.')
  const deliveries = v.parse(v.array(deliverySchema), await call('GET', '/api/v1/delivery', { token: shop.owner.token }))
  expect(deliveries.map((delivery) => delivery.orderId)).toEqual([orderId])
  // The driver's list never disagrees with what the owner calls delivered.
  const delivery = async () => v.parse(v.array(v.object({ status: v.string() })), await call('GET', '/api/v1/delivery', { token: driver.token }))[0]?.status
  for (const [next, driversStatus] of [['preparing', 'picked up'], ['dispatched', 'picked up'], ['delivered', 'delivered'], ['pending', 'picked up']] as const) {
    await status.selectOption(next)
    await rowOf(page, orderId).locator(`[data-status=${next}]`).waitFor()
    await expect.poll(async () => await status.isEnabled()).toBe(true)
    await expect.poll(delivery).toBe(driversStatus)
  }
})

test('a driver who was seen lately is listed with the way to the restaurant', async ({ visit }) => {
  const [shop, near, unknown] = [await newVerifiedRestaurant(), await newDriver({ firstName: 'Amal', lastName: 'Bandara' }), await newDriver()]
  await confirmOrder(shop.owner, (await newOrder(shop)).orderId, near)
  const { orderId } = await newOrder(shop)
  // A kilometre north of the restaurant.
  const geolocation = { latitude: 6.9237, longitude: 79.8487, accuracy: 8 }
  const trip = await visit('/driver/track', { as: near, permissions: ['geolocation'], geolocation })
  await trip.getByRole('switch', { name: 'Share live location' }).check({ force: true })
  await trip.getByTestId('sharing-sent').getByText('6.92370').waitFor()

  const page = await visit('/restaurantC/booking', { as: shop.owner })
  const choice = page.getByLabel(`Driver for ${orderId}`)
  const labels = async () => {
    await page.reload()
    await choice.locator(`option[value="${near.id}"]`).waitFor({ state: 'attached' })
    return await choice.locator('option').allTextContents()
  }
  const isNear = (label: string) => /^Amal · \w+ · (under 1 km|1 to 2 km)$/.test(label)
  await expect.poll(async () => (await labels()).some(isNear), { timeout: 20_000, interval: 500 }).toBe(true)
  const offered = await choice.locator('option').evaluateAll((all) => all.map((option) => option.getAttribute('value')))
  expect(offered.indexOf(near.id), 'the nearer one first').toBeLessThan(offered.indexOf(unknown.id))
  await choice.selectOption(near.id)
})

test('an order is deleted once that is confirmed', async ({ visit }) => {
  const shop = await newVerifiedRestaurant()
  const { orderId } = await newOrder(shop)
  const page = await visit('/restaurantC/booking', { as: shop.owner })
  const remove = page.getByRole('button', { name: `Delete ${orderId}` })
  await remove.click()
  await seen(page, 'owner orders', { text: ['Are you sure?', "You won't be able to revert this!", 'Yes, delete it!'] })
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByText('Are you sure?').waitFor({ state: 'detached' })

  await refuseCall(page, 'DELETE', '/api/v1/orders/delete/**', { status: 503 })
  await remove.click()
  await page.getByRole('button', { name: 'Yes, delete it!' }).click()
  await seen(page, 'owner orders', { text: ['Error!', 'Failed to delete order.'] })
  await page.getByRole('button', { name: 'OK', exact: true }).click()

  await remove.click()
  await page.getByRole('button', { name: 'Yes, delete it!' }).click()
  await seen(page, 'owner orders', { text: ['Deleted!', 'Order has been deleted.'] })
  await page.getByRole('button', { name: 'OK', exact: true }).click()
  await rowOf(page, orderId).waitFor({ state: 'detached' })
})

test('the board is remembered, and worked through by keyboard', async ({ visit }) => {
  const [shop, driver] = [await newVerifiedRestaurant(), await newDriver({ firstName: 'Aaron', lastName: 'Abey' })]
  const first = await newOrder(shop)
  const second = await newOrder(shop)
  const page = await visit('/restaurantC/booking', { as: shop.owner })
  await page.getByText('Board', { exact: true }).click()
  await page.getByRole('region', { name: 'Pending' }).waitFor()
  await page.reload()
  const card = (code: string) => page.getByRole('article', { name: `Order ${code}` })
  await card(first.orderId).waitFor()

  await card(first.orderId).focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(async () => await isFocused(card(second.orderId))).toBe(true)
  await page.keyboard.press('i')
  await page.getByText('Quantity: 1 · Price: Rs. 750.00').waitFor()
  await page.keyboard.press('ArrowUp')

  // The drivers are numbered in the order of the list.
  const options = page.getByLabel(`Driver for ${first.orderId}`).locator('option')
  await options.filter({ hasText: 'Aaron' }).first().waitFor({ state: 'attached' })
  const ids = await options.evaluateAll((all) => all.map((option) => option.getAttribute('value')))
  const index = ids.indexOf(driver.id)
  expect(index).toBeGreaterThan(0)
  if (index <= 9) await page.keyboard.press(String(index))
  else await page.getByLabel(`Driver for ${first.orderId}`).selectOption(driver.id)
  await card(first.orderId).focus()
  await page.keyboard.press('Enter')
  const confirmed = page.getByRole('region', { name: 'Confirmed' }).getByRole('article', { name: `Order ${first.orderId}` })
  await confirmed.waitFor()
  await expect.poll(async () => await isFocused(confirmed)).toBe(true)
  await page.getByText('Order status updated to confirmed').waitFor()

  await expect.poll(async () => await confirmed.getByRole('button', { name: 'Start preparing' }).isEnabled()).toBe(true)
  await confirmed.getByRole('button', { name: 'Start preparing' }).click()
  await page.getByRole('region', { name: 'Preparing' }).getByRole('article', { name: `Order ${first.orderId}` }).waitFor()

  await card(second.orderId).focus()
  await page.keyboard.press('Delete')
  await page.getByText('Are you sure?').waitFor()
})

test('the board has every open order as one ticket a checkout, the longest waiting first', async ({ visit }) => {
  const shop = await newVerifiedRestaurant()
  const second = await newItem(shop.owner, shop.restaurant._id, { name: 'Egg hoppers' })
  const first = await newOrder(shop)
  // More orders than the table's first page has. A checkout has one for each of its dishes.
  const dishes = await Promise.all(Array.from({ length: 34 }, (_, dish) => newItem(shop.owner, shop.restaurant._id, { name: `Curry ${String(dish)}` })))
  for (let checkout = 0; checkout < 3; checkout += 1) await newOrders(shop.customer, dishes.map(({ _id }) => _id))
  const [one, other] = await newOrders(shop.customer, [shop.item._id, second._id])
  const taken = await newOrder(shop)
  await confirmOrder(shop.owner, taken.orderId, await newDriver())
  if (one === undefined || other === undefined) throw new Error('two orders')
  const page = await visit('/restaurantC/booking', { as: shop.owner })
  await page.getByText('Board', { exact: true }).click()
  const pending = page.getByRole('region', { name: 'Pending' }).getByRole('article')
  await expect.poll(() => pending.count()).toBe(5)
  expect(await pending.first().getAttribute('data-order')).toBe(first.orderId)
  await page.getByText('105 waiting to be confirmed').waitFor()
  expect(await page.title()).toBe('(105) Restaurant Order · Tiffin')
  await page.getByRole('region', { name: 'Confirmed' }).getByRole('article', { name: `Order ${taken.orderId}` }).waitFor()
  const ticket = pending.filter({ hasText: second.name })
  await ticket.getByText(`1 × ${shop.item.name}`).waitFor()
  await ticket.getByText('Unpaid').waitFor()
  const beyond = await pending.evaluateAll((cards) => cards.filter((card) => card.scrollWidth > card.clientWidth).length)
  expect(beyond, 'tickets whose head has no room for its buttons').toBe(0)
  const height = await ticket.evaluate((card) => card.getBoundingClientRect().height)
  expect(height, 'a ticket of two dishes').toBeLessThan(260)
  expect(await smallestType(page), 'pixels of the smallest type on the board').toBeGreaterThanOrEqual(12)

  await page.getByRole('button', { name: 'Kitchen mode' }).click()
  await page.getByRole('button', { name: 'Leave kitchen mode' }).waitFor()
  await page.getByRole('region', { name: 'Delivered' }).waitFor({ state: 'hidden' })
  const sizeOf = async (part: Locator) => await part.evaluate((element) => getComputedStyle(element).fontSize)
  expect(await sizeOf(ticket.getByText(`1 × ${second.name}`))).toBe('44px')
  expect(await sizeOf(ticket.getByTestId('age'))).toBe('24px')
  expect(await sizeOf(ticket.getByText(/^ORD-/))).toBe('20px')
  expect(await smallestType(page), 'pixels of the smallest type in kitchen mode').toBeGreaterThanOrEqual(18)
  const controls = await ticket.locator('button, select').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
  expect(Math.min(...controls), 'pixels of the smallest thing to press').toBeGreaterThanOrEqual(44)
  // The first three tickets of each column have a number, which leads to them; Enter takes their next step.
  expect(await page.getByTestId('order-card').evaluateAll((cards) => cards.map((card) => card.dataset['number']).filter(Boolean))).toEqual(['1', '2', '3', '4'])
  await page.keyboard.press('4')
  const fourth = page.locator('[data-number="4"]')
  await expect.poll(() => fourth.evaluate((card) => card === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Preparing' }).getByRole('article', { name: `Order ${taken.orderId}` }).waitFor()
  await page.getByRole('button', { name: 'Leave kitchen mode' }).click()
  await page.getByRole('region', { name: 'Delivered' }).waitFor()
})

test('the board has all columns on a tablet, and one at a time on a phone', async ({ visit }) => {
  const shop = await newVerifiedRestaurant()
  await newOrder(shop)
  const taken = await newOrder(shop)
  await confirmOrder(shop.owner, taken.orderId, await newDriver())
  const page = await visit('/restaurantC/booking', { as: shop.owner })
  await page.getByText('Board', { exact: true }).click()
  const confirmed = page.getByRole('region', { name: 'Confirmed' }).getByRole('article', { name: `Order ${taken.orderId}` })
  await confirmed.waitFor()
  for (const language of ['en', 'si', 'ta']) {
    await page.evaluate((chosen) => { localStorage.setItem('language', chosen) }, language)
    await page.setViewportSize({ width: 1024, height: 768 })
    await page.reload()
    await page.locator('[data-card]').nth(1).waitFor()
    const edges = await page.locator('[data-column]').evaluateAll((all) => all.map((column) => column.getBoundingClientRect().right))
    expect(edges).toHaveLength(5)
    expect(Math.max(...edges)).toBeLessThanOrEqual(1024)
    const cut = await page.locator('[data-card]').evaluateAll((cards) => cards.filter((card) => card.scrollWidth > card.clientWidth).length)
    expect(cut, `tickets that are cut off in ${language}`).toBe(0)
    await expectNoHorizontalScroll(page)
    await expectLabelsFit(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    await page.locator('[data-card]').waitFor()
    await expectNoHorizontalScroll(page)
    await expectLabelsFit(page)
  }
  await page.evaluate(() => { localStorage.setItem('language', 'en') })
  await page.reload()
  await page.getByRole('radio', { name: 'Pending 1' }).focus()
  await page.keyboard.press('ArrowRight')
  await confirmed.waitFor()
  expect(await page.locator('[data-column]').count()).toBe(1)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
    await expectAccessible(page)
  }
  await page.reload()
  await confirmed.waitFor()
  expect(await page.getByRole('radio', { name: 'Confirmed 1' }).isChecked()).toBe(true)
  await saveLooks(page, 'board')
})

test('a ticket\'s step is taken for all of its orders, and taken back', async ({ visit }) => {
  const [shop, driver] = [await newVerifiedRestaurant(), await newDriver()]
  const second = await newItem(shop.owner, shop.restaurant._id, { name: 'Egg hoppers' })
  await newOrders(shop.customer, [shop.item._id, second._id])
  const page = await visit('/restaurantC/booking', { as: shop.owner })
  await page.getByText('Board', { exact: true }).click()
  const ticketIn = (column: string) => page.getByRole('region', { name: column }).getByRole('article')
  const pending = ticketIn('Pending')
  await pending.getByLabel(/^Driver for/).selectOption(driver.id)
  await pending.getByRole('button', { name: 'Confirm' }).click()
  const statuses = async () => (await ordersOf(shop.owner)).map(({ status }) => status)
  // The button is there once both steps are taken, for ten seconds.
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.waitFor()
  expect(await statuses()).toEqual(['confirmed', 'confirmed'])
  await undo.click()
  await expect.poll(statuses).toEqual(['pending', 'pending'])
  await expect.poll(() => ticketIn('Pending').count()).toBe(1)
  await undo.waitFor({ state: 'detached' })
})

async function ordersOf(owner: Account) {
  return v.parse(v.array(orderSchema), await call('GET', '/api/v1/orders', { token: owner.token }))
}

/** The smallest type of the words in the page's columns. */
async function smallestType(page: Page): Promise<number> {
  return await page.locator('[data-column] *').evaluateAll((all) => {
    const written = all.filter((one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== ''))
    return Math.min(...written.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)))
  })
}

async function isFocused(card: ReturnType<Page['getByRole']>): Promise<boolean> {
  return await card.evaluate((element) => element === document.activeElement)
}
