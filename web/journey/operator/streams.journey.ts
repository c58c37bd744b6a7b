import { expect } from 'vitest'

import { expectAccessible } from '../axe'
import { demo, newAccount } from '../accounts'
import { call, eventually } from '../platform'
import { refuseCall, test } from '../test'
import { newPoison } from './broker'
import { deadLettersOf } from './console'

/** A page may take its time on a busy machine. */
const PATIENT = { timeout: 15_000 }

const STREAMS = ['USERS', 'CATALOG', 'ORDERS', 'PAYMENTS', 'DELIVERIES', 'DRIVERS', 'NOTIFICATIONS', 'OPERATIONS', 'POSITIONS', 'DEADLETTERS']

test('streams, consumers and outboxes are on one page', async ({ visit }) => {
  const page = await visit('/admin/events', { as: demo.admin })
  const streams = page.getByRole('table', { name: 'Streams' })
  for (const stream of STREAMS) await streams.getByRole('row', { name: stream, exact: true }).waitFor()
  for (const column of ['Messages', 'Size', 'Sequences', 'Oldest', 'Newest']) {
    await streams.getByRole('columnheader', { name: column }).waitFor()
  }
  const consumers = page.getByRole('table', { name: 'Consumers' })
  for (const column of ['Pending', 'In flight', 'Redelivered', 'Lag']) {
    await consumers.getByRole('columnheader', { name: column }).waitFor()
  }
  // A replay is offered only to who takes one.
  await consumers.getByRole('link', { name: 'Replay to delivery_ORDERS' }).waitFor()
  await consumers.getByRole('row', { name: 'operator_ORDERS' }).getByText('Only copies its stream').waitFor()
  await expect.poll(() => consumers.getByRole('link', { name: /^Replay to operator_/ }).count()).toBe(0)
  const outboxes = page.getByRole('region', { name: 'Outboxes' })
  for (const service of ['user', 'order', 'delivery']) await outboxes.getByRole('cell', { name: service, exact: true }).waitFor()
  // The figures are asked for again while the page is seen.
  await page.waitForResponse('**/api/v1/operator/streams')
  await page.waitForResponse('**/api/v1/operator/streams')
})

test('a consumer that waits behind a dead letter comes first, with the cause beside it', async ({ visit }) => {
  const driver = await newPoison()
  await eventually(async () => ((await deadLettersOf(driver, 'order_DRIVERS')).length === 1 ? true : undefined))
  const page = await visit('/admin/events', { as: demo.admin })
  const consumers = page.getByRole('table', { name: 'Consumers' })
  await consumers.getByRole('row', { name: 'order_DRIVERS' }).getByText('Blocked', { exact: true }).waitFor()
  await expect.poll(() => consumers.locator('tbody tr').first().getAttribute('aria-label')).toMatch(/^(delivery|order)_DRIVERS$/)
  await page.getByRole('region', { name: 'Dead letters by cause' }).getByText(/missing field `isAvailable`/).waitFor()
  await page.getByLabel('Only those behind').check()
  await expect.poll(async () => await consumers.getByRole('row', { name: 'user_ORDERS' }).count(), PATIENT).toBe(0)
  const alerts = page.getByRole('region', { name: 'Alerts' })
  await alerts.getByRole('link', { name: /^(delivery|order)_DRIVERS: \d+ aggregates? (is|are) blocked$/ }).first().waitFor()
  await page.getByRole('link', { name: 'Settle them' }).click()
  await page.getByRole('heading', { level: 1, name: 'Dead letters' }).waitFor()
})

test('the console is reached by the sidebar, and walked through by Alt and digits', async ({ visit }) => {
  const page = await visit('/admin/', { as: demo.admin })
  await page.getByRole('link', { name: 'Events', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Streams' }).waitFor()
  for (const [at, title] of ['Streams', 'Events', 'Timeline', 'Replays', 'Read models', 'Dead letters', 'Operations', 'Capacity'].entries()) {
    await page.keyboard.press(`Alt+${String(at + 1)}`)
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    await page.getByRole('navigation', { name: 'Event console' }).getByRole('link', { name: title, exact: true, includeHidden: false }).and(page.locator('[aria-current=page]')).waitFor()
  }
})

test('where the broker is away, the page says so and asks again', async ({ visit }) => {
  const page = await visit('/admin/events/operations', { as: demo.admin })
  await refuseCall(page, 'GET', '/api/v1/operator/streams', { status: 503, message: 'The broker does not answer.' }, true)
  await page.getByRole('link', { name: 'Streams', exact: true }).click()
  await page.getByRole('alert').getByText('The broker does not answer.').waitFor()
  await expectAccessible(page)
  const again = page.getByRole('button', { name: 'Try again' })
  await Promise.all([page.waitForRequest('**/api/v1/operator/streams'), again.click()])
  await page.getByRole('alert').getByText('The broker does not answer.').waitFor()
  await page.unrouteAll()
  // Events of other tests may make the page ask before its own request.
  await again.click({ timeout: 3_000 }).catch(() => undefined)
  await page.getByRole('table', { name: 'Streams' }).waitFor()
})

test('only administrators get in', async ({ visit }) => {
  for (const [role, home] of [['customer', '/'], ['restaurant', '/restaurantC/'], ['delivery', '/driver/']] as const) {
    const person = await newAccount(role)
    const page = await visit('/admin/events/dead', { as: person })
    await page.waitForURL(({ pathname }) => (home === '/' ? pathname === home : pathname.startsWith(home)))
    await expect(call('GET', '/api/v1/operator/streams', { token: person.token })).rejects.toThrow('403')
  }
  const stranger = await visit('/admin/events/search')
  await stranger.waitForURL('**/login')
})
