import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

import { expectAccessible } from '../axe'
import { demo } from '../accounts'
import { eventually } from '../platform'
import { test } from '../test'
import { newHistory, newPoison } from './broker'
import { submitReason, deadLettersOf } from './console'

const TO_DRIVERS = '/admin/events/replays?stream=DRIVERS&consumer=order_DRIVERS'

/** Dry runs until all events are in the stream and the consumer has had them: no row would change then. */
async function handled(form: Locator, button: string) {
  await eventually(async () => {
    await form.getByRole('button', { name: 'Dry run' }).click()
    await form.getByText('Selected').or(form.getByText('No event matches: widen the window or the filter.')).waitFor()
    const shown = [form.getByRole('button', { name: button }), form.getByText('No row of order_DRIVERS would change.')]
    const counts = await Promise.all(shown.map((one) => one.count()))
    return counts.every((count) => count === 1) ? true : undefined
  })
}

test('what can not be replayed is said beside its field, before anything moves', async ({ visit }) => {
  const page = await visit('/admin/events/replays', { as: demo.admin })
  await page.getByRole('button', { name: 'New replay' }).click()
  const form = page.getByRole('region', { name: 'New replay' })
  await form.getByRole('button', { name: 'Dry run' }).click()
  for (const text of ['Choose a stream.', 'Choose a consumer.']) await form.getByText(text).waitFor()
  await form.getByLabel('Stream').selectOption('ORDERS')
  await form.getByLabel('Consumer').selectOption('delivery_ORDERS')
  await form.getByLabel('From', { exact: true }).selectOption('Sequence')
  await form.getByLabel('From: Sequence').fill('9')
  await form.getByLabel('To', { exact: true }).selectOption('Sequence')
  await form.getByLabel('To: Sequence').fill('3')
  await form.getByRole('button', { name: 'Dry run' }).click()
  await form.getByText('The window ends before it begins.').waitFor()
  await form.getByLabel('To', { exact: true }).selectOption('The latest event')
  // The rest is what the platform says.
  for (const [filter, words] of [['orders', 'The filter must be a subject such as tiffin.order.*.placed.'], ['tiffin.order.*.lost', 'No event matches: widen the window or the filter.']] as const) {
    await form.getByLabel('Subjects').fill(filter)
    await form.getByRole('button', { name: 'Dry run' }).click()
    await form.getByText(words).waitFor()
    const field = form.getByLabel('Subjects')
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  }
  await expectAccessible(page)
})

test('a dry run shows rows before and after', async ({ visit }) => {
  const driver = await newPoison()
  await eventually(async () => ((await deadLettersOf(driver, 'order_DRIVERS')).length === 1 ? true : undefined))
  const page = await visit(TO_DRIVERS, { as: demo.admin })
  const form = page.getByRole('region', { name: 'New replay' })
  await form.getByLabel('Subjects').fill(`tiffin.driver.${driver}.*`)
  await form.getByRole('button', { name: 'Dry run' }).click()
  const result = form.getByRole('region', { name: 'Dry run' })
  await result.getByText('Selected').waitFor()
  await expect.poll(() => result.locator('dl div', { hasText: 'Selected' }).locator('dd').innerText()).toBe('2')
  await result.getByText(/missing field `isAvailable`/).waitFor()
  await expectAccessible(page)
})

test('more than a thousand events are replayed only with their number typed; then paused, resumed and stopped', async ({ visit }) => {
  const driver = await newHistory(1_200)
  const page = await visit(TO_DRIVERS, { as: demo.admin })
  const form = page.getByRole('region', { name: 'New replay' })
  await form.getByLabel('Subjects').fill(`tiffin.driver.${driver}.*`)
  await form.getByLabel('Events per second, at most').fill('40')
  const reason = `a test of ${driver}`
  await form.getByLabel('Reason').fill(reason)
  await handled(form, 'Replay 1,200 events')
  await form.getByRole('button', { name: 'Replay 1,200 events' }).click()
  await form.getByText('Type 1200.').waitFor()
  await form.getByLabel('Type 1200 to confirm').fill('1200')
  await form.getByRole('button', { name: 'Replay 1,200 events' }).click()

  const replay = page.getByRole('article', { name: 'Replay to order_DRIVERS' }).filter({ hasText: reason })
  await replay.getByText('Running').waitFor()
  // One at a time: a second is refused, beside the consumer.
  await page.getByRole('button', { name: 'New replay' }).click()
  await form.getByLabel('Stream').selectOption('DRIVERS')
  await form.getByLabel('Consumer').selectOption('order_DRIVERS')
  await form.getByLabel('Reason').fill('a second one')
  await form.getByLabel('Subjects').fill('tiffin.driver.*.registered')
  await form.getByRole('button', { name: 'Dry run' }).click()
  await form.getByRole('button', { name: /^Replay \d+ events?$/ }).click()
  await form.getByText('something is under way for order_DRIVERS already').waitFor()
  await form.getByRole('button', { name: 'Cancel' }).click()

  await replay.getByRole('button', { name: 'Pause' }).click()
  await submitReason(page, 'Pause', reason)
  await replay.getByText('Paused').waitFor()
  await expectAccessible(page)
  await replay.getByRole('button', { name: 'Resume' }).click()
  await submitReason(page, 'Resume', reason)
  await replay.getByText('Running').waitFor()
  await replay.getByRole('button', { name: 'Stop' }).click()
  await submitReason(page, 'Stop', reason)
  await replay.getByText('Cancelled').waitFor()
  await replay.getByText(/of 1,200\. 0 took effect, [\d,]+ handled before, 0 failed\./).waitFor()
})

test('the end of a replay is shown without a reload', async ({ visit }) => {
  const driver = await newHistory(3)
  const page = await visit(TO_DRIVERS, { as: demo.admin })
  const form = page.getByRole('region', { name: 'New replay' })
  await form.getByLabel('Subjects').fill(`tiffin.driver.${driver}.*`)
  await form.getByLabel('Reason').fill(`a small one of ${driver}`)
  await handled(form, 'Replay 3 events')
  await form.getByRole('button', { name: 'Replay 3 events' }).click()
  const replay = page.getByRole('article', { name: 'Replay to order_DRIVERS' }).filter({ hasText: driver })
  await replay.getByText('Done').waitFor()
  await replay.getByText('3 of 3. 0 took effect, 3 handled before, 0 failed.').waitFor()
})
