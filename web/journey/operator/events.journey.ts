import { readFileSync } from 'node:fs'

import { expect } from 'vitest'

import { expectAccessible } from '../axe'
import { newRestaurantWithItem, newOrders } from '../restaurants'
import { demo, newAccount } from '../accounts'
import { eventually } from '../platform'
import { test } from '../test'
import { submitReason, operations } from './console'

/** A page may take its time on a busy machine. */
const PATIENT = { timeout: 15_000 }

/** A new order of a new customer, whose events are all its own. */
async function newOrder() {
  const { item } = await newRestaurantWithItem()
  const [order] = await newOrders(await newAccount(), [item._id])
  if (order === undefined) throw new Error('no order was placed')
  return order
}

test('events are narrowed by the address, and a reload shows the same', async ({ visit }) => {
  const order = await newOrder()
  const page = await visit('/admin/events/search', { as: demo.admin })
  const rows = page.getByRole('table', { name: 'Events' }).locator('tbody tr')
  await page.getByLabel('Stream', { exact: true }).selectOption('ORDERS')
  await page.getByLabel('Type').fill('order placed')
  await page.getByLabel('Aggregate').fill(order.orderId)
  await page.waitForURL(`**aggregate=${order.orderId}**`)
  await rows.getByRole('link', { name: order.orderId }).first().waitFor()
  await page.getByLabel('Text').fill(order.orderId)
  await page.waitForURL(`**q=${order.orderId}**`)
  await expect.poll(async () => await rows.count(), PATIENT).toBe(1)
  await page.reload()
  await rows.getByText('order placed').waitFor()
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(async () => await rows.count(), PATIENT).toBe(50)
  await page.getByRole('button', { name: 'Load older' }).click()
  await expect.poll(async () => await rows.count(), PATIENT).toBe(100)
  const keys = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-row')))
  expect(new Set(keys).size, 'no event twice').toBe(100)
})

test('a filter that can not be meant is put right before anything is asked', async ({ visit }) => {
  const page = await visit('/admin/events/search?aggregate=12', { as: demo.admin })
  await page.getByText('Enter an id of 36 characters, or an order code (ORD-…).').waitFor()
  await page.getByText('Fix the highlighted filter.').waitFor()
  await page.goto('/admin/events/search?from=2026-11-21T10:00:01Z&to=2026-11-21T10:00:00Z')
  await page.getByText('The window ends before it begins.').waitFor()
  await expectAccessible(page)
  await page.goto('/admin/events/search?q=nothing-of-the-kind-anywhere')
  await page.getByText('No event matches.').waitFor()
  await expectAccessible(page)
})

test('an event is read by keyboard alone, and the next one by an arrow key', async ({ visit }) => {
  const order = await newOrder()
  const page = await visit(`/admin/events/search?correlation=${order._id}`, { as: demo.admin })
  const links = page.getByRole('table', { name: 'Events' }).locator('tbody tr td:nth-child(2) a')
  await expect.poll(async () => await links.count(), PATIENT).toBeGreaterThan(1)
  await links.first().focus()
  await page.keyboard.press('Enter')
  const detail = page.getByRole('complementary', { name: 'Event' })
  const key = async () => new URL(page.url()).searchParams.get('at')
  await detail.getByText('Payload').waitFor()
  const first = await key()
  await page.keyboard.press('ArrowDown')
  await expect.poll(key, PATIENT).not.toBe(first)
  await detail.getByText((await key()) ?? '', { exact: true }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await detail.waitFor({ state: 'detached' })
})

test('an event says what caused it and what it led to', async ({ visit }) => {
  const order = await newOrder()
  const page = await visit(`/admin/events/search?correlation=${order._id}&stream=NOTIFICATIONS`, { as: demo.admin })
  await page.getByRole('link', { name: 'notification created' }).first().click()
  const detail = page.getByRole('complementary', { name: 'Event' })
  await detail.getByRole('link', { name: /^order placed ORDERS/ }).click()
  await detail.getByRole('heading', { name: 'order placed' }).waitFor()
  await detail.getByRole('link', { name: /^notification created/ }).first().waitFor()
  await detail.getByRole('link', { name: 'Timeline of the order' }).waitFor()
  await detail.getByRole('link', { name: order._id }).first().click()
  await page.waitForURL(`**=${order._id}**`)
})

test('personal fields are masked until a reason is given, and the reason is recorded', async ({ visit }) => {
  const order = await newOrder()
  const reason = `a complaint about ${order.orderId}`
  const page = await visit(`/admin/events/search?aggregate=${order._id}&type=tiffin.order.placed.v1`, { as: demo.admin })
  await page.getByRole('link', { name: 'order placed' }).first().click()
  const detail = page.getByRole('complementary', { name: 'Event' })
  await detail.getByText('•••').first().waitFor()
  await expect.poll(() => detail.getByText('12 Galle Face, Colombo').count()).toBe(0)
  await detail.getByRole('button', { name: 'Show personal fields' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByRole('dialog').getByText('Enter a reason.').waitFor()
  await expectAccessible(page)
  await submitReason(page, 'Show', reason)
  await detail.getByText('"12 Galle Face, Colombo"').waitFor()
  await eventually(async () => (await operations()).find((one) => one.verb === 'reveal' && one.reason === reason))
  // Closed, it is masked again.
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'order placed' }).first().click()
  await detail.getByText('•••').first().waitFor()
  await page.goto('/admin/events/operations')
  await page.getByRole('row', { name: /^reveal ORDERS/ }).getByText(reason).waitFor()
})

test('words of personal fields are found only by who says why, and that is kept', async ({ visit }) => {
  const order = await newOrder()
  const reason = `a letter about ${order.orderId}`
  const page = await visit(`/admin/events/search?aggregate=${order._id}&q=Galle`, { as: demo.admin })
  await page.getByText('No event matches.').waitFor()
  await page.getByRole('button', { name: 'Search personal fields' }).click()
  await submitReason(page, 'Show', reason)
  await page.getByText('Personal fields are shown and searched.').waitFor()
  await page.getByRole('link', { name: 'order placed' }).first().waitFor()
  await expectAccessible(page)
  await eventually(async () => (await operations()).find((one) => one.verb === 'reveal' && one.reason === reason))
  await page.getByRole('button', { name: 'Mask again' }).click()
  await page.getByText('No event matches.').waitFor()
})

test('an event is copied, matches are saved masked, and a whole stream with a reason', async ({ visit }) => {
  const order = await newOrder()
  const page = await visit(`/admin/events/search?stream=ORDERS&aggregate=${order._id}`, {
    as: demo.admin,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await page.getByRole('link', { name: 'order placed' }).click()
  await page.getByRole('button', { name: 'Copy as JSON' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const copied: unknown = JSON.parse(await page.evaluate(async () => await navigator.clipboard.readText()))
  expect(copied).toMatchObject({ stream: 'ORDERS', event: { subject: order._id } })

  const exported = async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: 'Download' }).click(),
    ])
    const text = readFileSync(await download.path(), 'utf8')
    return { name: download.suggestedFilename(), lines: text.trimEnd().split('\n').map((line): unknown => JSON.parse(line)), text }
  }
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const matches = await exported()
  expect(matches.name).toBe('events.ndjson')
  expect(matches.lines).toHaveLength(1)
  expect(matches.text).toContain('•••')

  await page.getByLabel('Everything in ORDERS').check()
  await page.getByRole('dialog').getByRole('button', { name: 'Download' }).click()
  await page.getByRole('dialog').getByText('Enter a reason.').waitFor()
  await page.getByLabel('Reason').fill('a copy to look at')
  const whole = await exported()
  expect(whole.name).toBe('ORDERS.ndjson')
  expect(whole.text).toContain(order._id)
  await page.getByText(`${whole.lines.length.toLocaleString('en')} events are saved.`).waitFor()
  await eventually(async () => (await operations()).find((one) => one.verb === 'export' && one.reason === 'a copy to look at'))
})

test('on a phone an event opens over the list', async ({ visit }) => {
  const order = await newOrder()
  const page = await visit(`/admin/events/search?aggregate=${order._id}`, { as: demo.admin, width: 390, colorScheme: 'dark' })
  await page.getByRole('link', { name: 'order placed' }).click()
  const detail = page.getByRole('dialog')
  await detail.getByRole('heading', { name: 'order placed' }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await detail.waitFor({ state: 'detached' })
})
