import type { Page } from 'playwright-core'
import * as v from 'valibot'

import { demo, login } from '../accounts'
import { call } from '../platform'

/** Says why in the dialog that asks for it, and has it done. */
export async function submitReason(page: Page, button: string, reason: string) {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: button, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

const operationsSchema = v.array(v.object({ event: v.object({ data: v.object({ verb: v.string(), target: v.string(), reason: v.string() }) }) }))

/** The operators' actions, newest first. */
export async function operations() {
  const { token } = await login(demo.admin)
  const path = '/api/v1/operator/events?stream=OPERATIONS&type=tiffin.operation.begun.v1&limit=100'
  return v.parse(operationsSchema, await call('GET', path, { token })).map(({ event }) => event.data)
}

const deadLettersSchema = v.array(v.object({ seq: v.number(), stream: v.string(), streamSeq: v.number(), consumer: v.string(), subject: v.string() }))

/** The dead letters of an aggregate, of one consumer or of all. */
export async function deadLettersOf(aggregate: string, consumer?: string) {
  const { token } = await login(demo.admin)
  const all = v.parse(deadLettersSchema, await call('GET', '/api/v1/operator/dead', { token }))
  return all.filter((one) => one.subject.includes(aggregate) && (consumer === undefined || one.consumer === consumer))
}

/** Axe measures what lies half behind the tabs, too; at the top nothing does. */
export async function scrollToTop(page: Page) {
  await page.evaluate(() => {
    window.scrollTo(0, 0)
  })
}
