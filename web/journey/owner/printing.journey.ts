import * as v from 'valibot'
import { expect } from 'vitest'

import { expectAccessible } from '../axe'
import { expectNoHorizontalScroll } from '../layout'
import { saveLooks } from '../looks'
import { call, eventually } from '../platform'
import { confirmOrder, newOrders } from '../restaurants'
import { test } from '../test'
import { newDriver, newVerifiedRestaurant } from './restaurant'

const NOTE = 'No onions. Allergic to peanuts.'
/** Points of a millimetre, in a PDF. */
const POINTS = 72 / 25.4

const claimSchema = v.object({ job: v.nullable(v.object({ _id: v.string(), kind: v.string(), code: v.string() })) })

/** A shop with a print agent, which answers as a test has it do. */
async function printingShop() {
  const shop = await newVerifiedRestaurant()
  const { owner, restaurant } = shop
  const agentId = '0193a000-0000-7000-8000-000000000001'
  const restaurantIds = [restaurant._id]
  const say = async (problem: string | null) => await call('PUT', '/api/v1/orders/printing', { token: owner.token, body: { restaurantIds, problem } })
  // The order service learns of the restaurant from an event.
  await eventually(async () => await say(null).catch(() => undefined))
  const claim = async () => {
    const body = { agentId, restaurantIds }
    return v.parse(claimSchema, await call('POST', '/api/v1/orders/print-jobs/claim', { token: owner.token, body })).job
  }
  const report = async (id: string, outcome: string, problem: string | null = null) =>
    await call('PUT', `/api/v1/orders/print-jobs/report/${id}`, { token: owner.token, body: { agentId, outcome, problem } })
  const [order] = await newOrders(shop.customer, [shop.item._id], { note: NOTE })
  if (order === undefined) throw new Error('nothing was ordered')
  await confirmOrder(owner, order.orderId, await newDriver())
  return { ...shop, order, say, claim, report }
}

test('a ticket says whether it is on paper, and a doubtful one is printed again on request', async ({ visit }) => {
  const { owner, order, say, claim, report } = await printingShop()
  await say('no_paper')
  const board = await visit('/restaurantC/booking', { as: owner })
  await board.getByText('Board', { exact: true }).click()
  const ticket = board.getByRole('article', { name: `Order ${order.orderId}` })
  await ticket.getByText('Waits for the printer: no paper').waitFor()
  await ticket.getByText(NOTE).waitFor()
  await saveLooks(board, 'print-waits')

  await say(null)
  const first = await claim()
  expect(first).toMatchObject({ kind: 'first', code: order.orderId })
  await report(first?._id ?? '', 'doubtful', 'interrupted')
  await ticket.getByText('May not have been printed: interrupted').waitFor()
  for (const width of [1280, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await board.setViewportSize({ width, height: 800 })
      await board.emulateMedia({ colorScheme })
      await board.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
      if (width === 390) await board.getByText('Confirmed 1', { exact: true }).click()
      await ticket.waitFor()
      await expectAccessible(board)
      await expectNoHorizontalScroll(board)
    }
  }
  await saveLooks(board, 'print-doubtful')
  expect(await claim()).toBeNull()

  await ticket.getByRole('button', { name: `Print again: ${order.orderId}` }).click()
  await ticket.getByText('Waits for the printer', { exact: true }).waitFor()
  const again = await claim()
  expect(again).toMatchObject({ kind: 'reprint', code: order.orderId })
  await report(again?._id ?? '', 'printed')
  await ticket.getByText('Printed', { exact: true }).waitFor()
  await saveLooks(board, 'printed')
})

test('the print dialog gets one page of 80 mm with the ticket alone', async ({ visit }) => {
  const { owner, order, item } = await printingShop()
  const board = await visit('/restaurantC/booking', { as: owner })
  // A browser without a window closes its dialog at once; this one stays open.
  await board.evaluate(() => {
    window.print = () => {
      document.body.dataset.dialog = 'open'
    }
  })
  await board.getByText('Board', { exact: true }).click()
  await board.getByRole('button', { name: `Print ${order.orderId}`, exact: true }).click()
  await board.locator('body[data-dialog=open]').waitFor()
  await board.emulateMedia({ media: 'print' })
  const paper = board.getByTestId('paper')
  expect(await paper.textContent()).toContain(`1 × ${item.name}`)
  expect(await paper.textContent()).toContain(NOTE)
  expect(await paper.textContent()).toContain('Unpaid')
  expect(await board.getByRole('article').filter({ visible: true }).count()).toBe(0)
  const folder = process.env.TIFFIN_SHOTS
  if (folder !== undefined) await paper.screenshot({ path: `${folder}/paper.png` })
  const pdf = (await board.pdf({ preferCSSPageSize: true })).toString('latin1')
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1)
  const width = Number(/\/MediaBox \[0 0 ([\d.]+) /.exec(pdf)?.[1])
  expect(Math.abs(width - 80 * POINTS)).toBeLessThan(1)
  await board.emulateMedia({ media: 'screen' })
  await board.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await paper.waitFor({ state: 'detached' })
})
