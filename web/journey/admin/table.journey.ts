import { readFileSync } from 'node:fs'

import { expect } from 'vitest'

import { newRestaurantWithItem } from '../restaurants'
import { demo, newAccount } from '../accounts'
import { call } from '../platform'
import { test } from '../test'

function isFromZToA(names: string[]): boolean {
  const fromZToA = names.toSorted((a, b) => b.localeCompare(a, undefined, { numeric: true }))
  return names.length > 1 && names.every((name, at) => name === fromZToA[at])
}

test('a table is sorted, searched and walked through by keyboard alone', async ({ visit }) => {
  const newest = await newAccount()
  const page = await visit('/admin/user', { as: demo.admin })
  const email = page.getByRole('columnheader', { name: 'Email' })
  await email.getByRole('button').focus()
  await page.keyboard.press('Enter')
  await page.locator('th[aria-sort=ascending]', { hasText: 'Email' }).waitFor()
  await page.waitForURL('**sort=email**')
  await page.keyboard.press('Enter')
  await page.locator('th[aria-sort=descending]', { hasText: 'Email' }).waitFor()
  const emails = () => page.locator('tbody tr td:nth-child(2)').allInnerTexts()
  await expect.poll(emails).toSatisfy(isFromZToA)
  await page.keyboard.press('Enter')
  await page.waitForURL(({ searchParams }) => !searchParams.has('sort'))
  await page.locator('th[aria-sort=descending]').waitFor({ state: 'detached' })
  await expect.poll(async () => (await emails())[0]).toBe(newest.email)

  const buttons = page.locator('tbody').getByRole('button')
  await buttons.nth(0).focus()
  await page.keyboard.press('ArrowDown')
  const second = await page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('aria-label'))
  expect(second).toBe(await page.locator('tbody tr').nth(1).getAttribute('aria-label'))
  await page.keyboard.press('ArrowUp')
  const first = await page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('aria-label'))
  expect(first).toBe(await page.locator('tbody tr').first().getAttribute('aria-label'))

  await page.getByLabel('Search').fill('driver@tiffin.local')
  await page.waitForURL('**q=driver**')
  await expect.poll(async () => await page.locator('tbody tr').count()).toBe(1)
  // The address has the filters: a reload shows the same.
  await page.reload()
  await page.getByRole('row', { name: 'driver@tiffin.local' }).waitFor()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
})

test('filters narrow a list, and further pages are brought by Show more', async ({ visit }) => {
  const page = await visit('/admin/booking', { as: demo.admin })
  await page.getByRole('row').nth(25).waitFor()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(25)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(async () => await page.locator('tbody tr').count()).toBeGreaterThan(25)
  const labels = await page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')))
  expect(new Set(labels).size, 'no row twice').toBe(labels.length)
  await page.getByLabel('Status', { exact: true }).selectOption('Cancelled')
  await page.waitForURL('**status=cancelled**')
  await expect.poll(async () => await page.locator('tbody tr').count()).toBeLessThan(labels.length)
})

test('a list is saved as CSV that no spreadsheet takes for formulas', async ({ visit }) => {
  const { item } = await newRestaurantWithItem()
  const customer = await newAccount()
  const body = { productId: item._id, rating: 4, comment: '=HYPERLINK("http://x")\nsecond "line"' }
  await call('POST', '/api/v1/reviews', { token: customer.token, body })
  const page = await visit(`/admin/review?q=${encodeURIComponent(item.name)}`, { as: demo.admin })
  await page.getByRole('row', { name: item.name }).first().waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('reviews.csv')
  const text = readFileSync(await download.path(), 'utf8')
  expect(text.startsWith('\uFEFFUser,Email,Rating,Comment,Status,Item,Restaurant name\r\n')).toBe(true)
  expect(text).toContain(`"'=HYPERLINK(""http://x"")\nsecond ""line"""`)
  expect(text).toContain(customer.email)
})

test('rows become cards where a table has no room, and are sorted there too', async ({ visit }) => {
  const page = await visit('/admin/user', { as: demo.admin, width: 390 })
  await page.getByRole('article', { name: 'admin@tiffin.local' }).or(page.getByRole('article').first()).first().waitFor()
  await expect.poll(() => page.getByRole('table').count()).toBe(0)
  await page.getByLabel('Sort by').selectOption('Email, ascending')
  await page.waitForURL('**sort=email**')
  await page.getByRole('article').first().waitFor()
})
