import type { Page } from 'playwright-core'
import * as v from 'valibot'
import { expect } from 'vitest'

import { type Account, demo, mailsTo } from './accounts'
import { expectAccessible } from './axe'
import { expectNoHorizontalScroll } from './layout'
import { saveLooks } from './looks'
import { newDriver, newVerifiedRestaurant } from './owner/restaurant'
import { call, eventually } from './platform'
import { newItem, newOrders } from './restaurants'
import { test } from './test'

const DISHES = ['Kottu', 'Egg hopper', 'Watalappan']

const notificationsSchema = v.array(v.object({ topic: v.string(), dishes: v.array(v.string()) }))
const deliveriesSchema = v.array(
  v.object({ _id: v.string(), ticketId: v.string(), driverId: v.string(), earliestArrival: v.nullable(v.string()) }),
)

/** One checkout: three dishes of one restaurant, one of another. */
async function checkout() {
  const [shop, other] = [await newVerifiedRestaurant(), await newVerifiedRestaurant()]
  const dishes: string[] = []
  for (const name of DISHES) dishes.push((await newItem(shop.owner, shop.restaurant._id, { name }))._id)
  const orders = await newOrders(shop.customer, [...dishes, other.item._id], { lat: 6.8932, lng: 79.8568 })
  return { shop, other, customer: shop.customer, codes: orders.map(({ orderId }) => orderId) }
}

/** Confirms the one ticket of an owner's board with a driver, by one touch. */
async function confirmTicket(page: Page, driver: Account) {
  const ticket = page.getByRole('region', { name: 'Pending' }).getByRole('article')
  await ticket.locator(`option[value="${driver.id}"]`).waitFor({ state: 'attached' })
  await ticket.getByRole('combobox').selectOption(driver.id)
  await ticket.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('region', { name: 'Confirmed' }).getByRole('article').waitFor()
  expect(await ticket.count()).toBe(0)
}

async function notificationsOf({ token }: Account, topic: string) {
  const all = v.parse(notificationsSchema, await call('GET', '/api/v1/notification', { token }))
  return all.filter((one) => one.topic === topic)
}

/** The mails of a topic to an account, without folded lines. */
function mailsOf({ email }: Account, subject: string): string[] {
  const mails = mailsTo(email).map((mail) => mail.replace(/=\r?\n/g, ''))
  return mails.filter((mail) => mail.includes(`Subject: ${subject}`))
}

/** Waits for the notification and the mail of each ticket, and looks that there is no other. */
async function expectOncePerTicket(reader: Account, topic: string, subject: string, tickets: number) {
  await eventually(async () => (mailsOf(reader, subject).length >= tickets ? true : undefined), 30_000)
  const listed = await notificationsOf(reader, topic)
  expect(listed.length, topic).toBe(tickets)
  expect(mailsOf(reader, subject).length, subject).toBe(tickets)
  const mail = mailsOf(reader, subject).find((one) => one.includes('+2'))
  for (const dish of DISHES) expect(mail, subject).toContain(dish)
  expect(listed.map(({ dishes }) => dishes.length).sort()).toEqual(tickets === 1 ? [3] : [0, 3])
}

test('three dishes of one restaurant and one of another are two tickets from placing to the door', async ({ visit }) => {
  const { shop, other, customer, codes } = await checkout()
  const [driver, second] = [await newDriver(), await newDriver()]
  await expectOncePerTicket(shop.owner, 'order_placed', 'New order', 1)

  const board = async (owner: Account) => {
    const page = await visit('/restaurantC/booking', { as: owner })
    await page.getByText('Board', { exact: true }).click()
    return page
  }
  await confirmTicket(await board(shop.owner), driver)
  await confirmTicket(await board(other.owner), second)
  await expectOncePerTicket(customer, 'order_confirmed', 'Confirmed', 2)
  await expectOncePerTicket(driver, 'delivery_assigned', 'Delivery of', 1)

  const deliveries = await eventually(async () => {
    const all = v.parse(deliveriesSchema, await call('GET', '/api/v1/delivery', { token: customer.token }))
    return all.length === 4 && all.every(({ earliestArrival }) => earliestArrival !== null) ? all : undefined
  })
  const together = deliveries.filter(({ driverId }) => driverId === driver.id)
  expect(together).toHaveLength(3)
  expect(new Set(together.map(({ ticketId }) => ticketId)).size).toBe(1)
  expect(new Set(together.map(({ earliestArrival }) => earliestArrival)).size).toBe(1)
  expect(deliveries.filter(({ driverId }) => driverId === second.id)).toHaveLength(1)

  // Any of its dishes leads to the one page.
  const track = await visit(`/track/${together[1]?._id ?? ''}`, { as: customer })
  await track.getByRole('heading', { name: 'Assigned' }).waitFor()
  await expect.poll(() => track.getByTestId('dish').count()).toBe(3)
  for (const dish of DISHES) await track.getByText(`1 × ${dish}`).waitFor()
  await expectAccessible(track)
  await expectNoHorizontalScroll(track)
  await track.getByTestId('dish').last().scrollIntoViewIfNeeded()
  await saveLooks(track, 'ticket-track')

  // Administrators see one row and one marker of it.
  const dashboard = await visit('/admin/', { as: demo.admin })
  await dashboard.getByLabel('Find a delivery').fill(codes[1] ?? '')
  const show = dashboard.getByRole('button', { name: /^Show on map: / })
  await expect.poll(() => show.count()).toBe(1)
  for (const code of codes.slice(0, 3)) expect(await show.getAttribute('aria-label')).toContain(code)
  await show.click()
  const details = dashboard.getByRole('region', { name: /^Delivery of / }).first()
  for (const dish of DISHES) await details.getByText(`1 × ${dish}`).waitFor()
  await expectAccessible(dashboard)
  await expectNoHorizontalScroll(dashboard)
  await saveLooks(dashboard, 'ticket-admin')

  const history = await visit('/profile', { as: customer })
  await expect.poll(() => history.getByTestId('delivery-row').count()).toBe(2)
  const row = history.getByTestId('delivery-row').filter({ hasText: 'Watalappan' })
  for (const dish of DISHES) expect(await row.textContent()).toContain(dish)
  await row.scrollIntoViewIfNeeded()
  await expectNoHorizontalScroll(history)
  await saveLooks(history, 'ticket-history')

  // The driver takes each step once, the first one without network.
  const panel = await visit('/driver/track', { as: driver })
  await expect.poll(() => panel.getByTestId('delivery-row').count()).toBe(1)
  for (const dish of DISHES) await panel.getByTestId('delivery-row').getByText(dish).waitFor()
  await expectAccessible(panel)
  await expectNoHorizontalScroll(panel)
  await panel.getByTestId('delivery-row').scrollIntoViewIfNeeded()
  await saveLooks(panel, 'ticket-driver')
  await panel.getByLabel(/^Map of the trip/).waitFor()
  await panel.context().setOffline(true)
  await panel.getByRole('button', { name: 'Picked up, on the way' }).click()
  await panel.getByText('1 status change waits for the network', { exact: false }).waitFor()
  await panel.context().setOffline(false)
  await track.getByRole('heading', { name: 'On the way' }).waitFor()
  await expectOncePerTicket(customer, 'delivery_on_the_way', 'On the way', 1)

  await panel.getByRole('button', { name: 'Delivered', exact: true }).click()
  await track.locator('[data-testid=delivery-steps][data-status="delivered"]').waitFor()
  await expectOncePerTicket(customer, 'delivery_delivered', 'Delivered', 1)
  const statuses = async () => {
    const orders = v.parse(v.array(v.object({ orderId: v.string(), status: v.string() })), await call('GET', '/api/v1/orders', { token: customer.token }))
    return codes.map((code) => orders.find(({ orderId }) => orderId === code)?.status)
  }
  await expect.poll(statuses, { timeout: 15_000 }).toEqual(['delivered', 'delivered', 'delivered', 'confirmed'])

  await history.bringToFront()
  await history.getByRole('button', { name: /^Notifications/ }).click()
  await history.getByText('1 × Kottu, 1 × Egg hopper, 1 × Watalappan').first().waitFor()
  await saveLooks(history, 'ticket-bell')
}, 240_000)

test('a cancelled dish leaves the others of its ticket on their page', async ({ visit }) => {
  const { shop, customer, codes } = await checkout()
  const driver = await newDriver()
  const [first, ...others] = codes.slice(0, 3)
  const body = { status: 'confirmed', driverId: driver.id }
  const path = `/api/v1/orders/ticket/${first ?? ''}`
  await eventually(async () => await call('PUT', path, { token: shop.owner.token, body }).catch(() => undefined))
  const track = await visit(`/track/${first ?? ''}`, { as: customer })
  await expect.poll(() => track.getByTestId('dish').count()).toBe(3)
  await call('POST', `/api/v1/orders/cancel/${first ?? ''}`, { token: shop.owner.token, body: { reason: 'sold_out' } })
  await track.getByRole('region', { name: first ?? '' }).waitFor()
  await expect.poll(() => track.getByTestId('dish').count()).toBe(2)
  for (const code of others) await track.locator(`[data-testid=dish][data-order="${code}"]`).waitFor()
  await expectNoHorizontalScroll(track)
  await saveLooks(track, 'ticket-cancelled')
})
