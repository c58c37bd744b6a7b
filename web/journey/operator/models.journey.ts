import type { Page } from 'playwright-core'
import { expect } from 'vitest'

import { expectAccessible } from '../axe'
import { demo } from '../accounts'
import { test } from '../test'
import { submitReason, operations } from './console'

const MODEL = 'payment_ORDERS'

function operationCard(page: Page, name: string, reason: string) {
  return page.getByRole('article', { name }).filter({ hasText: reason })
}

test('a read model is checked, rebuilt and rolled back; rows and hashes are shown', async ({ visit }) => {
  const page = await visit('/admin/events/models', { as: demo.admin })
  const models = page.getByRole('table', { name: 'Read models' })
  await models.getByRole('row', { name: MODEL }).waitFor()
  const reason = `a look at ${String(Date.now())}`

  await models.getByRole('button', { name: `Verify ${MODEL}` }).click()
  await submitReason(page, 'Verify', reason)
  const check = operationCard(page, `Verification of ${MODEL}`, reason)
  await check.getByText('Done').waitFor()
  const compared = check.getByRole('group', { name: `Tables of ${MODEL}` })
  for (const column of ['Rows, serving', 'Rows, rebuilt', 'Hash, serving', 'Hash, rebuilt']) {
    await compared.getByRole('columnheader', { name: column }).waitFor()
  }
  await compared.getByText('Equal').first().waitFor()
  const rows = await compared.getByRole('row').filter({ has: page.getByRole('cell') }).all()
  for (const row of rows) {
    const cells = await row.getByRole('cell').allInnerTexts()
    const [serving, rebuilt] = cells.slice(-2)
    expect(serving).toMatch(/^[0-9a-f]{16}$/)
    expect(rebuilt).toBe(serving)
  }
  expect(rows.length).toBeGreaterThan(0)
  await expect.poll(() => compared.getByText('Differs').count()).toBe(0)
  await models.getByRole('row', { name: MODEL }).getByText('Equal').waitFor()
  await expectAccessible(page)

  await models.getByRole('button', { name: `Rebuild ${MODEL}` }).click()
  await submitReason(page, 'Rebuild', reason)
  await operationCard(page, `Rebuild of ${MODEL}`, reason).getByText('Done').waitFor()

  await models.getByRole('button', { name: `Roll back ${MODEL}` }).click()
  await submitReason(page, 'Roll back', reason)
  await page.getByText(/The replaced read model is in use again/).waitFor()
  const verbs = async () => (await operations()).filter((one) => one.reason === reason).map((one) => one.verb)
  await expect.poll(async () => (await verbs()).sort()).toEqual(['rebuild', 'rollback', 'verify'])
})

test('the event log is verified against the streams, and rebuilt', async ({ visit }) => {
  const page = await visit('/admin/events/models', { as: demo.admin })
  const row = page.getByRole('table', { name: 'Read models' }).getByRole('row', { name: 'event-log' })
  const reason = `the log, ${String(Date.now())}`
  for (const [act, name] of [['Verify', 'Verification of event-log'], ['Rebuild', 'Rebuild of event-log']] as const) {
    await row.getByRole('button', { name: `${act} event-log` }).click()
    await submitReason(page, act, reason)
    const article = operationCard(page, name, reason)
    await article.getByText('Done').waitFor()
    await article.getByRole('group', { name: 'Tables of event-log' }).getByText('Equal').waitFor()
  }
  await row.getByText('Equal').waitFor()
  await expect.poll(() => row.getByRole('button', { name: 'Roll back event-log' }).count()).toBe(0)
})

test('the audit is checked along its chain, and there is nothing of it to build', async ({ visit }) => {
  const page = await visit('/admin/events/models', { as: demo.admin })
  const row = page.getByRole('table', { name: 'Read models' }).getByRole('row', { name: 'audit' })
  const reason = `the audit, ${String(Date.now())}`
  await row.getByRole('button', { name: 'Verify audit' }).click()
  await submitReason(page, 'Verify', reason)
  const article = operationCard(page, 'Verification of audit', reason)
  await article.getByText('Done').waitFor()
  await article.getByRole('group', { name: 'Tables of audit' }).getByText('Equal').waitFor()
  await expect.poll(() => row.getByRole('button').count()).toBe(1)
})

test('streams are brought back from the outbox of a service, and nothing is published twice', async ({ visit }) => {
  const page = await visit('/admin/events/models', { as: demo.admin })
  const reason = `to see that nothing is missing, ${String(Date.now())}`
  await page.getByRole('button', { name: 'Republish from outbox…' }).click()
  await page.getByRole('dialog').getByLabel('Service').selectOption('payment')
  await submitReason(page, 'Republish', reason)
  const article = operationCard(page, 'Republish from payment', reason)
  await article.getByText('Done').waitFor()
  const row = article.getByRole('row', { name: /^tiffin\.payment/ })
  await row.waitFor()
  await expect.poll(() => row.getByRole('cell').last().innerText()).toBe('0')
})
