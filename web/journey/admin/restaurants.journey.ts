import { expect } from 'vitest'

import { newRestaurantWithItem } from '../restaurants'
import { demo } from '../accounts'
import { call } from '../platform'
import { seen } from '../spec/seen'
import { refuseCall, test } from '../test'

test('a restaurant is verified', async ({ visit }) => {
  const { restaurant, owner } = await newRestaurantWithItem()
  const page = await visit(`/admin/package?q=${encodeURIComponent(restaurant.name)}`, { as: demo.admin })
  const card = page.getByRole('article', { name: restaurant.name })
  await seen(page, 'admin restaurants', { route: 'all', button: ['Verify', 'Delete'] })
  await seen(card, 'admin restaurants', { text: ['Open', 'No'] })
  for (const text of ['Ruwan Silva', '7 Marine Drive, Colombo', '0112345678', 'Rice and curry all day.']) {
    await card.getByText(text, { exact: true }).waitFor()
  }
  await call('POST', `/api/v1/restaurant/isClose/${restaurant._id}`, { token: owner.token })
  await seen(card, 'admin restaurants', { text: ['Closed'] })

  const verify = card.getByRole('button', { name: 'Verify' })
  await refuseCall(page, 'PUT', '/api/v1/restaurant/update/**', { status: 503 })
  await verify.click()
  await seen(page, 'admin restaurants', { text: ['Oops...', 'Failed to verify the restaurant.'] })
  await page.getByRole('button', { name: 'OK', exact: true }).click()
  const answered = page.waitForResponse('**/api/v1/restaurant/update/**')
  await verify.click()
  const dialog = page.getByRole('dialog')
  await seen(dialog, 'admin restaurants', { text: ['Verified'] })
  const { message } = await (await answered).json()
  await dialog.getByText(String(message)).waitFor()
  // It closes after a time.
  await dialog.waitFor({ state: 'detached' })
  await seen(card, 'admin restaurants', { text: ['Yes'] })
  await expect.poll(() => card.getByRole('button', { name: 'Verify' }).count()).toBe(0)
})

test('a restaurant is deleted only after a yes', async ({ visit }) => {
  const { restaurant } = await newRestaurantWithItem()
  const page = await visit(`/admin/package?q=${encodeURIComponent(restaurant.name)}`, { as: demo.admin, width: 390 })
  const card = page.getByRole('article', { name: restaurant.name })
  const remove = card.getByRole('button', { name: 'Delete' })
  await remove.click()
  await seen(page, 'admin restaurants', {
    text: ['Are you sure?', "You won't be able to revert this!", 'Yes, delete it!'],
    button: ['No, cancel'],
  })
  await page.getByRole('button', { name: 'No, cancel' }).click()
  await refuseCall(page, 'DELETE', '/api/v1/restaurant/delete/**', { status: 503 })
  await remove.click()
  await page.getByRole('button', { name: 'Yes, delete it!' }).click()
  await seen(page, 'admin restaurants', { text: ['Oops...', 'Failed to delete the restaurant.'] })
  await page.getByRole('button', { name: 'OK', exact: true }).click()
  await remove.click()
  await page.getByRole('button', { name: 'Yes, delete it!' }).click()
  await seen(page, 'admin restaurants', { text: ['Deleted!'] })
  await card.waitFor({ state: 'detached' })
})
