import type { Page } from 'playwright-core'
import { expect } from 'vitest'

import { newAccount } from '../accounts'
import { expectToastInHeader } from '../layout'
import { picture } from '../picture'
import { seen } from '../spec/seen'
import { refuseCall, test } from '../test'
import { newVerifiedRestaurant } from './restaurant'

async function fill(page: Page, name: string) {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Address').fill('7 Marine Drive, Colombo')
  await page.getByLabel('Phone').fill('0112345678')
  await page.getByLabel('Description').fill('Rice and curry all day.')
}

test('a restaurant is added with pictures, and nothing is optional', async ({ visit }) => {
  const page = await visit('/restaurantC/restaurant', { as: await newAccount('restaurant') })
  await page.getByText('You have no restaurants yet.').waitFor()
  await page.getByRole('link', { name: 'Add Restaurant' }).click()
  await seen(page, 'owner restaurant form', { route: ['/restaurantC/restaurant/add'], field: 'all' })

  await page.getByRole('button', { name: 'Add' }).click()
  await seen(page, 'panel upload', { text: ['no file selected'] })
  await expect.poll(() => page.getByText('Please fill this in.').count()).toBe(4)

  await fill(page, 'Harbour Kitchen')
  const pictures = page.locator('input[type=file]')
  await refuseCall(page, 'POST', '/storage/v1/object/images/**', { status: 500 })
  await pictures.setInputFiles([picture])
  await seen(page, 'panel upload', { text: ['Error uploading file'] })
  await expectToastInHeader(page, 'Image upload failed')
  await pictures.setInputFiles([picture, { ...picture, name: 'second.png' }])
  await page.getByAltText('Picture 2').waitFor()
  await page.getByRole('button', { name: 'Remove picture 2' }).click()
  await page.getByAltText('Picture 2').waitFor({ state: 'detached' })

  await refuseCall(page, 'POST', '/api/v1/restaurant', { status: 503 })
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await seen(page, 'owner restaurant form', { text: ['Failed to add restaurant. Please try again.'] })
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.waitForURL('**/restaurantC/restaurant')
  await page.getByRole('article', { name: 'Harbour Kitchen' }).waitFor()
})

test('a restaurant is edited, from the list and from its address', async ({ visit }) => {
  const { owner, restaurant } = await newVerifiedRestaurant()
  const page = await visit('/restaurantC/restaurant', { as: owner })
  await page.getByRole('link', { name: `Edit: ${restaurant.name}` }).click()
  await seen(page, 'owner restaurant form', { route: ['/restaurantC/restaurant/edit'] })
  await expect.poll(async () => await page.getByLabel('Name').inputValue()).toBe(restaurant.name)

  await page.reload()
  await page.getByLabel('Description').fill('Now with hoppers.')
  await refuseCall(page, 'PUT', '/api/v1/restaurant/update/**', { status: 503 })
  await page.getByRole('button', { name: 'Update' }).click()
  await seen(page, 'owner restaurant form', { text: ['Update failed.'] })
  await page.getByRole('button', { name: 'Update' }).click()
  await page.waitForURL('**/restaurantC/restaurant')
  await page.getByText('Now with hoppers.').waitFor()

  await refuseCall(page, 'GET', '/api/v1/restaurant/getOne/**', { status: 404 }, true)
  await page.goto(`/restaurantC/restaurant/edit?id=${restaurant._id}`)
  await seen(page, 'owner restaurant form', { text: ['Failed to fetch restaurant'] })
  await page.goto('/restaurantC/restaurant/edit')
  await page.getByText('Choose one of your restaurants first.').waitFor()
})

test('a shop is closed and opened', async ({ visit }) => {
  const { owner, restaurant } = await newVerifiedRestaurant()
  const page = await visit('/restaurantC/restaurant', { as: owner })
  await seen(page, 'owner restaurants', { route: 'all', button: ['Close Shop'] })
  const close = page.getByRole('button', { name: `Close Shop: ${restaurant.name}` })
  await refuseCall(page, 'POST', '/api/v1/restaurant/isClose/**', { status: 503 })
  await close.click()
  await seen(page, 'owner restaurants', { text: ['Failed to update shop status.'] })
  await close.click()
  await seen(page, 'owner restaurants', { button: ['Open Shop'] })
  await page.getByText('Closed', { exact: true }).waitFor()
  await page.getByRole('button', { name: `Open Shop: ${restaurant.name}` }).click()
  await close.waitFor()
})

test('a restaurant is deleted once that is confirmed', async ({ visit }) => {
  const { owner, restaurant } = await newVerifiedRestaurant()
  const page = await visit('/restaurantC/restaurant', { as: owner })
  const remove = page.getByRole('button', { name: `Delete: ${restaurant.name}` })
  await remove.click()
  await page.getByText('Are you sure?').waitFor()
  await page.getByRole('button', { name: 'No, cancel' }).click()

  await refuseCall(page, 'DELETE', '/api/v1/restaurant/delete/**', { status: 503 })
  await remove.click()
  await page.getByRole('button', { name: 'Yes, delete it!' }).click()
  await seen(page, 'owner restaurants', { text: ['Failed to delete the restaurant.'] })

  await remove.click()
  await page.getByRole('button', { name: 'Yes, delete it!' }).click()
  await page.getByText('Deleted!').waitFor()
  // The dialog closes after a time.
  await page.getByText('Deleted!').waitFor({ state: 'detached' })
  await page.getByRole('article', { name: restaurant.name }).waitFor({ state: 'detached' })
})
