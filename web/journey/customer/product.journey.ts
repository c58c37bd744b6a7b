import { beforeAll, expect } from 'vitest'

import { expectAccessible } from '../axe'
import { newRestaurantWithItem } from '../restaurants'
import { expectNoHorizontalScroll } from '../layout'
import { newAccount } from '../accounts'
import { seen } from '../spec/seen'
import { refuseCall, test } from '../test'
import { viewports } from './viewports'

const SCRIPT = '<b onmouseover="document.title=\'taken\'">Hot</b>'

let kitchen: Awaited<ReturnType<typeof newRestaurantWithItem>>

beforeAll(async () => {
  kitchen = await newRestaurantWithItem()
})

test('a dish without reviews says so, and a stranger is asked to log in', async ({ visit }) => {
  const page = await visit(`/product/${kitchen.item._id}`)
  await seen(page, 'routes', { route: ['/product/{key}'] })
  await seen(page, 'product', { text: ['No reviews found.'] })
  await page.getByRole('button', { name: 'Submit review' }).click()
  await seen(page, 'product', { text: ['Please log in to submit a review.'] })
})

test.for(viewports)('a review is written by keyboard and waits for its approval, at $width px', async ({ width, colorScheme }, { visit }) => {
  const page = await visit(`/product/${kitchen.item._id}`, { as: await newAccount(), width, colorScheme })
  const stars = page.getByRole('radiogroup', { name: 'Rating' })
  await expect.poll(() => stars.getByRole('radio', { name: '0 stars' }).isChecked()).toBe(true)
  await stars.getByRole('radio', { name: '0 stars' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.getByText('3 / 5').waitFor()
  await page.getByLabel('Comment').fill(SCRIPT)
  await refuseCall(page, 'POST', '/api/v1/reviews', { status: 503 })
  await page.getByRole('button', { name: 'Submit review' }).click()
  await seen(page, 'product', { text: ['Failed to submit review.'] })
  await page.getByRole('button', { name: 'Submit review' }).click()
  const own = page.getByTestId('review').filter({ hasText: 'Your review' })
  await own.getByText('Pending').waitFor()
  await own.getByText(SCRIPT).waitFor()
  await expect.poll(() => page.title()).not.toContain('taken')
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
})

test('what could not be loaded says so, and is had again', async ({ visit }) => {
  const page = await visit('/contact')
  // The dish is asked for along with the page's files, and once more where it is to be shown.
  await refuseCall(page, 'GET', '/api/v1/collection/getOne/**', { status: 404 }, true)
  await page.goto(`/product/${kitchen.item._id}`)
  await seen(page, 'product', { text: ['Failed to load food details. Please try again later.'] })
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Add to cart' }).waitFor()

  await refuseCall(page, 'GET', '/api/v1/restaurant/getOne/**', { status: 404 }, true)
  await page.reload()
  await seen(page, 'product', { text: ['Restaurant details are not available.'] })
})
