import { expect } from 'vitest'

import { newItem, newRestaurantWithItem } from '../restaurants'
import { demo } from '../accounts'
import { pressLeaving } from '../press-leaving'
import { seen } from '../spec/seen'
import { refuseCall, test } from '../test'

async function newMenu() {
  const { owner, restaurant, item } = await newRestaurantWithItem()
  const waiting = await newItem(owner, restaurant._id, { approved: false, name: 'Unseen Pudding', category: 'dessert', available: false })
  return { restaurant, item, waiting }
}

test('the items of a restaurant are approved', async ({ visit }) => {
  const { restaurant, item, waiting } = await newMenu()
  const page = await visit(`/admin/package?q=${encodeURIComponent(restaurant.name)}`, { as: demo.admin })
  // Its picture leads to its items.
  await page.getByRole('link', { name: `Show the items of ${restaurant.name}` }).click()
  await seen(page, 'admin items', { route: 'all', column: 'all' })
  await page.getByText(`Menu of ${restaurant.name}`).waitFor()
  await page.getByRole('row', { name: item.name }).getByText('Rs. 750.00').waitFor()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(2)
  await seen(page, 'admin items', { text: ['In Stock', 'Out of Stock'], button: ['Approve', 'Delete'] })

  const row = page.getByRole('row', { name: waiting.name })
  await refuseCall(page, 'POST', '/api/v1/collection/isApprove/**', { status: 503 })
  await row.getByRole('button', { name: 'Approve' }).click()
  await seen(page, 'admin items', { text: ['Failed to approve the item.'] })
  expect(await pressLeaving(row.getByRole('button', { name: 'Approve' }))).toBeNull()
  await seen(page, 'admin items', { text: ['Item approved successfully!'] })
})

test('an item is deleted after a yes in a toast', async ({ visit }) => {
  const { restaurant, waiting } = await newMenu()
  const page = await visit(`/admin/item?restaurantId=${restaurant._id}`, { as: demo.admin })
  const row = page.getByRole('row', { name: waiting.name })
  const remove = row.getByRole('button', { name: 'Delete' })
  await remove.click()
  await seen(page, 'admin items', { text: ['Are you sure you want to delete?'], button: ['Yes', 'No'] })
  await page.getByRole('alertdialog', { name: `Are you sure you want to delete? ${waiting.name}`, exact: true }).waitFor()
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await page.getByRole('button', { name: 'Yes', exact: true }).waitFor({ state: 'detached' })
  await row.waitFor()

  await refuseCall(page, 'DELETE', '/api/v1/collection/delete/**', { status: 503 })
  await remove.click()
  await page.getByRole('button', { name: 'Yes', exact: true }).click()
  await seen(page, 'admin items', { text: ['Failed to delete the item.'] })
  await remove.click()
  // The toast before may still be on its way out.
  await page.getByRole('button', { name: 'Yes', exact: true }).last().click()
  await seen(page, 'admin items', { text: ['Item deleted successfully!'] })
  await row.waitFor({ state: 'detached' })
})

test('a category is shown by its address, and edited from its cards', async ({ visit }) => {
  const { restaurant, waiting } = await newMenu()
  const page = await visit('/admin/item?category=dessert', { as: demo.admin })
  await page.getByRole('row').nth(1).waitFor()
  const categories = await page.locator('tbody tr td:nth-child(5)').allInnerTexts()
  expect(new Set(categories)).toEqual(new Set(['Dessert']))
  await page.goto(`/admin/item?q=${encodeURIComponent(waiting.name)}`)
  await page.getByRole('row', { name: waiting.name }).filter({ hasText: restaurant.name }).waitFor()

  const narrow = await visit(`/admin/item?restaurantId=${restaurant._id}`, { as: demo.admin, width: 390 })
  const card = narrow.getByRole('article', { name: waiting.name })
  await seen(card, 'admin items', { link: 'all' })
  await card.getByRole('link', { name: 'Edit' }).click()
  await narrow.waitForURL('**/admin/item/edit**')
  await narrow.getByLabel('Price').fill('820')
  await narrow.getByRole('button', { name: 'Update' }).click()
  await narrow.waitForURL('**/admin/item')
  await narrow.goto(`/admin/item?restaurantId=${restaurant._id}`)
  await narrow.getByRole('article', { name: waiting.name }).getByText('Rs. 820.00').waitFor()
})
