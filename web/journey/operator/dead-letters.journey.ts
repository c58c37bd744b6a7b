import type { Page } from 'playwright-core'
import { expect } from 'vitest'

import { expectAccessible } from '../axe'
import { expectNoHorizontalScroll } from '../layout'
import { demo } from '../accounts'
import { eventually } from '../platform'
import { test } from '../test'
import { newPoison, newPoisonedEnd } from './broker'
import { submitReason, deadLettersOf, operations, scrollToTop } from './console'

/** A driver whose first event is a dead letter, and where that lies. */
async function newDeadLetter() {
  const driver = await newPoison()
  const [deadLetter] = await eventually(async () => {
    const found = await deadLettersOf(driver, 'order_DRIVERS')
    return found.length > 0 ? found : undefined
  })
  if (deadLetter === undefined) throw new Error('there is no dead letter')
  return { driver, key: `${deadLetter.stream}/${String(deadLetter.streamSeq)}` }
}

/** A dead letter of `order_DRIVERS`: the delivery service has one about the same event. */
function rowOf(page: Page, key: string) {
  return page.getByRole('listitem', { name: `driver registered ${key}` }).filter({ hasText: 'order_DRIVERS' })
}

test('dead letters are grouped by cause, with the events that wait behind them', async ({ visit }) => {
  const { driver, key } = await newDeadLetter()
  const page = await visit('/admin/events/dead', { as: demo.admin })
  const group = page.getByRole('region', { name: /missing field `isAvailable`/ })
  await group.getByRole('heading').waitFor()
  await group.getByRole('listitem', { name: `driver registered ${key}` }).filter({ hasText: 'delivery_DRIVERS' }).waitFor()
  const deadLetter = rowOf(page, key)
  await deadLetter.getByText(/order_DRIVERS · \d+ attempts? · .* ago · 1 parked event$/).waitFor()
  await deadLetter.getByText('Parked events and payload').click()
  await deadLetter.getByText('The aggregate is blocked, with 1 parked event').waitFor()
  await deadLetter.getByRole('link', { name: /^driver available DRIVERS/ }).waitFor()
  await deadLetter.getByRole('link', { name: driver }).first().waitFor()
  await scrollToTop(page)
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
})

test('the failed deletion of an account comes before all others, and shows what it holds up', async ({ visit }) => {
  await newDeadLetter()
  const user = await newPoisonedEnd()
  const deadLetters = await eventually(async () => {
    const found = await deadLettersOf(user)
    return found.length > 0 ? found : undefined
  })
  const page = await visit('/admin/events/dead', { as: demo.admin, width: 390 })
  const banner = page.getByText(/Personal data stays until you settle (it|them)\.$/)
  await banner.waitFor()
  const first = page.getByRole('listitem', { name: /^user deleted USERS/ }).first()
  await first.getByText('Delays an erasure').waitFor()
  await expect.poll(() => page.getByRole('heading', { level: 2 }).first().innerText()).toContain('missing field `role`')
  await scrollToTop(page)
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)

  const group = page.getByRole('region', { name: /missing field `role`/ })
  await eventually(async () => {
    await group.getByRole('checkbox', { name: /^Select all/ }).check()
    await page.getByRole('button', { name: 'Discard selected' }).click()
    await submitReason(page, 'Discard', `a test made ${user}`)
    return (await deadLettersOf(user)).length === 0 ? true : undefined
  })
  expect(deadLetters.length).toBeGreaterThan(0)
  await banner.waitFor({ state: 'detached' })
})

test('a dead letter that fails as before stays, and the dialog says why', async ({ visit }) => {
  const { driver, key } = await newDeadLetter()
  const page = await visit('/admin/events/dead', { as: demo.admin, width: 390, colorScheme: 'dark' })
  await rowOf(page, key).getByRole('button', { name: `Retry ${key}`, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('perhaps it works now')
  await dialog.getByRole('button', { name: 'Retry', exact: true }).click()
  await dialog.getByRole('alert').getByText(/isAvailable/).waitFor()
  await scrollToTop(page)
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await expect.poll(() => deadLettersOf(driver, 'order_DRIVERS')).toHaveLength(1)
})

test('an event is put right, and takes effect as a new one that names the old', async ({ visit }) => {
  const { driver, key } = await newDeadLetter()
  const page = await visit('/admin/events/dead', { as: demo.admin })
  await rowOf(page, key).getByRole('button', { name: `Edit ${key}` }).click()
  const dialog = page.getByRole('dialog')
  const payload = dialog.getByLabel('Payload')
  await payload.fill('{\n  "driverId": absent\n}')
  await dialog.getByText('This is not valid JSON: invalid symbol, line 2, column 15.').waitFor()
  await payload.fill('[]')
  await dialog.getByLabel('Reason').fill(`it did not say whether ${driver} is available`)
  await dialog.getByRole('button', { name: 'Publish and retry' }).click()
  await dialog.getByText('The payload must be a JSON object.').waitFor()
  // The platform knows the type's schema.
  await payload.fill(JSON.stringify({ driverId: driver, vehicleType: 'Hovercraft', isAvailable: true }))
  await dialog.getByRole('button', { name: 'Publish and retry' }).click()
  await dialog.getByText('The payload does not fit tiffin.driver.registered.v1: correct its fields.').waitFor()
  await scrollToTop(page)
  await expectAccessible(page)
  await payload.fill(JSON.stringify({ driverId: driver, vehicleType: 'Bike', isAvailable: true }))
  await dialog.getByRole('cell', { name: 'true' }).waitFor()
  await dialog.getByRole('button', { name: 'Publish and retry' }).click()
  await dialog.waitFor({ state: 'detached' })
  await rowOf(page, key).waitFor({ state: 'detached' })
  await expect.poll(() => deadLettersOf(driver, 'order_DRIVERS')).toHaveLength(0)

  await page.goto(`/admin/events/search?aggregate=${driver}`)
  await page.getByLabel('Follow').check()
  await page.getByRole('link', { name: 'driver registered' }).nth(1).waitFor()
  await page.getByRole('link', { name: 'driver registered' }).first().click()
  const detail = page.getByRole('complementary', { name: 'Event' })
  await detail.getByRole('link', { name: `driver registered ${key}` }).waitFor()
})

test('several are discarded at once, with one reason that is kept for each', async ({ visit }) => {
  const deadLetters = [await newDeadLetter(), await newDeadLetter()]
  const reason = `a test made ${deadLetters[0]?.driver ?? ''}`
  const page = await visit('/admin/events/dead', { as: demo.admin })
  for (const { key } of deadLetters) await rowOf(page, key).getByLabel(`Select ${key}`, { exact: true }).check()
  await page.getByRole('region', { name: 'Selection' }).getByText('2 selected').waitFor()
  await page.getByRole('button', { name: 'Discard selected' }).click()
  await page.getByRole('dialog', { name: 'Discard 2 dead letters' }).waitFor()
  await submitReason(page, 'Discard', reason)
  await page.getByText('2 dead letters are discarded.').waitFor()
  for (const { driver, key } of deadLetters) {
    await rowOf(page, key).waitFor({ state: 'detached' })
    await expect.poll(() => deadLettersOf(driver, 'order_DRIVERS')).toHaveLength(0)
  }
  const kept = await eventually(async () => {
    const found = (await operations()).filter((one) => one.verb === 'discard' && one.reason === reason)
    return found.length === 2 ? found : undefined
  })
  await page.goto('/admin/events/operations')
  for (const { target } of kept) await page.getByRole('row', { name: `discard ${target}` }).getByText(reason).waitFor()
})
