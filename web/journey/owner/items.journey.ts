import { expect } from 'vitest'

import { expectToastInHeader } from '../layout'
import { picture } from '../picture'
import { seen } from '../spec/seen'
import { refuseCall, test } from '../test'
import { newVerifiedRestaurant } from './restaurant'

test('an item is added with pictures', async ({ visit }) => {
  const { owner, restaurant } = await newVerifiedRestaurant()
  const page = await visit('/restaurantC/restaurant', { as: owner })
  await page.getByRole('link', { name: `Items: ${restaurant.name}` }).click()
  await seen(page, 'owner items', { route: 'all' })
  await page.getByRole('link', { name: 'Add New Item' }).click()
  await seen(page, 'owner item form', { route: ['/restaurantC/restaurant/collection/add'], field: 'all', option: 'all' })
  await seen(page, 'owner item form', { text: ['Add New Item'], button: ['Add', 'Cancel'] })

  // The service says what is wrong.
  const add = page.getByRole('button', { name: 'Add', exact: true })
  await add.click()
  await expect.poll(async () => await page.locator('[aria-invalid=true]').count()).toBeGreaterThan(0)

  await page.getByLabel('Item Name').fill('String Hoppers')
  await page.getByLabel('Price').fill('480.50')
  await page.getByLabel('Category').selectOption('Family Meals')
  await page.getByLabel('Description').fill('With coconut sambol.')
  await refuseCall(page, 'POST', '/storage/v1/object/images/**', { status: 500 })
  await page.locator('input[type=file]').setInputFiles([picture])
  await seen(page, 'owner item form', { text: ['Image upload failed'] })
  await page.locator('input[type=file]').setInputFiles([picture, { ...picture, name: 'second.png' }])
  await page.getByAltText('Picture 2').waitFor()

  await refuseCall(page, 'POST', '/api/v1/collection', { status: 503 })
  await add.click()
  await Promise.all([seen(page, 'owner item form', { text: ['Failed to add item'] }), expectToastInHeader(page, 'Failed to add item')])
  await add.click()
  await Promise.all([seen(page, 'owner item form', { text: ['Item added successfully'] }), expectToastInHeader(page, 'Item added successfully')])
  await page.waitForURL('**/restaurantC/restaurant')

  await page.goto(`/restaurantC/restaurant/collection?restaurantId=${restaurant._id}`)
  const row = page.getByRole('row', { name: 'String Hoppers' })
  await row.getByText('Rs. 480.50').waitFor()
  await row.getByText('Awaiting approval').waitFor()
})

test('an item needs a token to be added, and Cancel goes to the list it came from', async ({ visit }) => {
  const { owner, restaurant } = await newVerifiedRestaurant()
  const page = await visit(`/restaurantC/restaurant/collection/add?restaurantId=${restaurant._id}`, { as: owner })
  await page.getByLabel('Item Name').fill('A lost dish')
  await page.evaluate(() => { localStorage.removeItem('token') })
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await seen(page, 'owner item form', { text: ['Please login first'] })
})

test('an item is updated, and its number is not', async ({ visit }) => {
  const { owner, restaurant, item } = await newVerifiedRestaurant()
  const page = await visit(`/restaurantC/restaurant/collection?restaurantId=${restaurant._id}`, { as: owner })
  await page.getByRole('link', { name: `Edit: ${item.name}` }).click()
  await seen(page, 'owner item form', { route: ['/restaurantC/restaurant/collection/update'], text: ['Update Item'] })
  await seen(page, 'owner item form', { button: ['Update'] })
  await expect.poll(() => page.getByLabel('Item ID').isEditable()).toBe(false)
  await expect.poll(() => page.getByLabel('Item Name').inputValue()).toBe(item.name)
  await page.getByAltText('Picture 1').waitFor()

  await page.getByLabel('Price').fill('910')
  const update = page.getByRole('button', { name: 'Update', exact: true })
  await refuseCall(page, 'PUT', '/api/v1/collection/update/**', { status: 503 })
  await update.click()
  await seen(page, 'owner item form', { text: ['Failed to update item'] })
  await update.click()
  await seen(page, 'owner item form', { text: ['Item updated successfully'] })
  await page.waitForURL('**/restaurantC/restaurant')

  await page.goto(`/restaurantC/restaurant/collection/update?id=${item._id}`)
  await expect.poll(async () => await page.getByLabel('Price').inputValue()).toBe('910')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.waitForURL(`**/restaurantC/restaurant/collection?restaurantId=${restaurant._id}`)
})

test('an item is taken out of stock in one click, and deleted after a question', async ({ visit }) => {
  const { owner, restaurant, item } = await newVerifiedRestaurant()
  const page = await visit(`/restaurantC/restaurant/collection?restaurantId=${restaurant._id}`, { as: owner })
  await page.getByText('In Stock').waitFor()
  // It is shown before it is answered; a reload before that would call it off.
  const answered = page.waitForResponse('**/api/v1/collection/update/**')
  await page.getByRole('switch', { name: `Available: ${item.name}` }).uncheck({ force: true })
  await page.getByText('Out of Stock').waitFor()
  await answered
  await page.reload()
  await page.getByText('Out of Stock').waitFor()

  const remove = page.getByRole('button', { name: `Delete: ${item.name}` })
  const question = page.getByRole('alertdialog', { name: `Are you sure you want to delete? ${item.name}`, exact: true })
  const answer = async (words: string) => {
    await remove.click()
    await question.getByRole('button', { name: words, exact: true }).click()
    await question.waitFor({ state: 'detached' })
  }
  await answer('No')
  await refuseCall(page, 'DELETE', '/api/v1/collection/delete/**', { status: 503 })
  await answer('Yes')
  await page.getByText('Failed to delete the item.').waitFor()
  await answer('Yes')
  await page.getByText('Item deleted successfully!').waitFor()
  await page.getByText('No items yet.').waitFor()
})
