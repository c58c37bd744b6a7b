import { expect } from 'vitest'

import { newRestaurantWithItem } from '../restaurants'
import { demo, newAccount } from '../accounts'
import { call } from '../platform'
import { pressLeaving } from '../press-leaving'
import { seen } from '../spec/seen'
import { refuseCall, test } from '../test'

async function newReview() {
  const { item, restaurant } = await newRestaurantWithItem()
  const customer = await newAccount()
  await call('POST', '/api/v1/reviews', { token: customer.token, body: { productId: item._id, rating: 4, comment: 'Crisp and hot.' } })
  return { item, restaurant, customer }
}

test('a review is approved once', async ({ visit }) => {
  const { restaurant, customer } = await newReview()
  const page = await visit(`/admin/review?q=${encodeURIComponent(restaurant.name)}`, { as: demo.admin })
  await seen(page, 'admin reviews', { route: 'all', column: 'all', text: ['Pending'], button: 'all' })
  const row = page.locator('tbody tr')
  for (const text of [customer.email, '4 / 5', 'Crisp and hot.', restaurant.name]) await row.getByText(text, { exact: true }).waitFor()
  expect(await pressLeaving(row.getByRole('button', { name: 'Approve' }))).toBeNull()
  await row.getByText('Approved').waitFor()
  await seen(page, 'admin reviews', { text: ['Approved'] })
})

test('a review is deleted only after a yes', async ({ visit }) => {
  const { restaurant } = await newReview()
  const page = await visit(`/admin/review?q=${encodeURIComponent(restaurant.name)}`, { as: demo.admin })
  const remove = page.locator('tbody').getByRole('button', { name: 'Delete' })
  await refuseCall(page, 'DELETE', '/api/v1/reviews/delete/**', { status: 503 })
  await remove.click()
  await seen(page, 'admin reviews', { text: ['Are you sure?', "You won't be able to revert this!", 'Yes, delete it!'] })
  await page.getByRole('button', { name: 'Yes, delete it!' }).click()
  await seen(page, 'admin reviews', { text: ['Error!', 'Failed to delete the review.'] })
  await page.getByRole('button', { name: 'OK', exact: true }).click()
  await remove.click()
  await page.getByRole('button', { name: 'Yes, delete it!' }).click()
  await seen(page, 'admin reviews', { text: ['Deleted!', 'The review has been deleted.', 'No reviews found.'] })
})

test('reviews are on their way before they are there', async ({ visit }) => {
  const page = await visit('/admin/', { as: demo.admin })
  let answer: () => void = () => undefined
  const held = new Promise<void>((resolve) => { answer = resolve })
  await page.route('**/api/v1/reviews?**', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('link', { name: 'Reviews', exact: true }).click()
  await seen(page, 'admin reviews', { text: ['Loading reviews...'] })
  answer()
  await page.getByRole('row').nth(1).waitFor()
})
