import { expect } from 'vitest'
import * as v from 'valibot'

import { demo, login } from '../accounts'
import { expectAccessible } from '../axe'
import { expectNoHorizontalScroll } from '../layout'
import { call } from '../platform'
import { newHistory } from './broker'
import { refuseCall, test } from '../test'
import { scrollToTop } from './console'

const PAGE = '/admin/events/capacity'
const CAPACITY = '/api/v1/operator/capacity'

const standingSchema = v.object({ streams: v.array(v.object({ name: v.string(), messages: v.number(), maxBytes: v.number() })) })

/** The messages of a stream, as `GET streams` has them. */
async function messagesOf(stream: string) {
  const { token } = await login(demo.admin)
  const { streams } = v.parse(standingSchema, await call('GET', '/api/v1/operator/streams', { token }))
  return streams.find(({ name }) => name === stream)?.messages ?? 0
}

test('every stream has its fill, and the figures are those of the streams', async ({ visit }) => {
  await newHistory(3)
  const page = await visit(PAGE, { as: demo.admin })
  await page.getByRole('heading', { level: 1, name: 'Capacity' }).waitFor()
  await page.getByRole('region', { name: 'What fills up first' }).waitFor()
  const streams = page.getByRole('table', { name: 'Streams' })
  for (const column of ['Full', 'Fill', 'Messages', 'Size', 'Events a day', 'Growth a day', 'When full']) {
    await streams.getByRole('columnheader', { name: column, exact: true }).waitFor()
  }
  const row = streams.getByRole('row', { name: 'DRIVERS' })
  const drivers = row.getByRole('cell').filter({ hasText: /^[\d,]+$/ }).first()
  // Others publish meanwhile: the page shows what was there between two looks at the streams.
  await expect
    .poll(async () => {
      const before = await messagesOf('DRIVERS')
      await Promise.all([page.waitForResponse(`**${CAPACITY}`), page.reload()])
      const shown = Number((await drivers.innerText()).replaceAll(',', ''))
      return before <= shown && shown <= (await messagesOf('DRIVERS'))
    }, { timeout: 30_000 })
    .toBe(true)
  await streams.getByRole('row', { name: 'POSITIONS' }).getByText('Drops the oldest').waitFor()
  await streams.getByRole('progressbar', { name: /^ORDERS: \d.*% of / }).waitFor({ state: 'attached' })
  const outboxes = page.getByRole('table', { name: 'Outboxes' })
  for (const service of ['user', 'order', 'operator']) await outboxes.getByRole('row', { name: service, exact: true }).waitFor()
  await expect.poll(() => outboxes.getByText('No response').count()).toBe(0)
  for (const figure of ['An order', "Broker's disk", 'Event log', 'Pace of']) await page.getByText(figure, { exact: true }).first().waitFor()
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 1280]) {
    test(`the page fits ${String(width)} pixels, ${colorScheme}`, async ({ visit }) => {
      const page = await visit(PAGE, { as: demo.admin, width, colorScheme })
      await page.getByRole('region', { name: 'What fills up first' }).waitFor()
      await page.getByText('NOTIFICATIONS').first().waitFor()
      await expectNoHorizontalScroll(page)
      await scrollToTop(page)
      await expectAccessible(page)
    })
  }
}

test('where the broker is away, the page says so and asks again', async ({ visit }) => {
  const page = await visit('/admin/events/operations', { as: demo.admin })
  await refuseCall(page, 'GET', CAPACITY, { status: 503, message: 'The broker does not answer.' }, true)
  await page.getByRole('link', { name: 'Capacity', exact: true }).click()
  await page.getByRole('alert').getByText('The broker does not answer.').waitFor()
  await expectAccessible(page)
  await page.unrouteAll()
  const again = page.getByRole('button', { name: 'Try again' })
  // Events of other tests may make the page ask before its own request.
  await again.click({ timeout: 3_000 }).catch(() => undefined)
  await page.getByRole('table', { name: 'Streams' }).waitFor()
})
