import { beforeAll, expect } from 'vitest'

import { expectAccessible } from '../axe'
import { expectNoHorizontalScroll } from '../layout'
import { demo, login, newAccount, type Account } from '../accounts'
import { call } from '../platform'
import { seen } from '../spec/seen'
import { refuseCall, test } from '../test'
import { viewports } from './viewports'

const SCRIPT = '<img src=x onerror="document.title=\'taken\'">'

let customer: Account

beforeAll(async () => {
  customer = await newAccount()
})

test('a stranger is asked to log in, and loses no word', async ({ visit }) => {
  const page = await visit('/contact')
  await seen(page, 'routes', { route: ['/contact'] })
  await page.getByRole('button', { name: 'Send' }).click()
  await seen(page, 'contact', { text: ['Please enter your message.'] })
  await page.getByLabel('Message').fill('Do you cater?')
  await page.getByRole('button', { name: 'Send' }).click()
  await seen(page, 'contact', { text: ['Please login first.'] })
  await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('Do you cater?')
})

test.for(viewports)('an inquiry from its first word to its end, at $width px', async ({ width, colorScheme }, { visit }) => {
  const page = await visit('/contact', { as: customer, width, colorScheme })
  await page.getByLabel('Message').fill(`${SCRIPT} ${String(width)}`)
  await page.getByRole('button', { name: 'Send' }).click()
  const entry = page.getByTestId('inquiry').filter({ hasText: `${SCRIPT} ${String(width)}` })
  await entry.waitFor()

  const list = await call('GET', '/api/v1/inquiry', { token: customer.token })
  const [first]: { _id: string }[] = Array.isArray(list) ? list : []
  const admin = await login(demo.admin)
  await call('PUT', `/api/v1/inquiry/${first?._id ?? ''}`, { token: admin.token, body: { response: 'Yes, for fifty.' } })
  await page.reload()
  await entry.getByText('Yes, for fifty.').waitFor()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await expect.poll(() => page.title()).toContain('Contact')

  await entry.getByRole('button', { name: /^Edit/ }).click()
  const editor = page.getByTestId('inquiry').getByLabel('Message')
  await editor.fill(' ')
  await page.getByRole('button', { name: 'Save' }).click()
  await seen(page, 'contact', { text: ['Message cannot be empty.'] })
  await refuseCall(page, 'PUT', '/api/v1/inquiry/*', { status: 503 })
  await editor.fill(`Reworded ${String(width)}`)
  await page.getByRole('button', { name: 'Save' }).click()
  await seen(page, 'contact', { text: ['Failed to update inquiry.'] })
  await page.getByRole('button', { name: 'Save' }).click()
  const reworded = page.getByTestId('inquiry').filter({ hasText: `Reworded ${String(width)}` })
  await reworded.getByRole('button', { name: /^Delete/ }).click()
  await refuseCall(page, 'DELETE', '/api/v1/inquiry/*', { status: 503 })
  await page.getByRole('button', { name: 'Yes, delete it!' }).click()
  await seen(page, 'contact', { text: ['Failed to delete inquiry.'] })
  await reworded.getByRole('button', { name: /^Delete/ }).click()
  await page.getByRole('button', { name: 'Yes, delete it!' }).click()
  await reworded.waitFor({ state: 'detached' })
})

test('many inquiries scroll in their list', async ({ visit }) => {
  const asker = await newAccount()
  for (let nth = 1; nth <= 12; nth += 1) {
    await call('POST', '/api/v1/inquiry', { token: asker.token, body: { message: `Question ${String(nth)}` } })
  }
  const page = await visit('/contact', { as: asker })
  const region = page.getByRole('region', { name: 'Your inquiries' })
  await region.waitFor()
  const { inner, outer, page: height } = await region.evaluate((element) => ({
    inner: element.scrollHeight,
    outer: element.clientHeight,
    page: window.innerHeight,
  }))
  expect(inner).toBeGreaterThan(outer)
  expect(outer).toBe(Math.round(height * 0.6))
})
