import { expect } from 'vitest'

import { expectAccessible } from './axe'
import { newItem, newRestaurantWithItem, newRestaurant } from './restaurants'
import { newAccount } from './accounts'
import { seen } from './spec/seen'
import { refuseCall, test } from './test'

test('the home page leads into restaurants, categories and search', async ({ visit }) => {
  const page = await visit('/', { as: await newAccount() })
  await seen(page, 'routes', { route: ['/'] })
  await seen(page, 'home', { link: 'all' })
  await seen(page.getByRole('banner'), 'header', {
    link: ['Home', 'Contact', 'Restaurants', 'Items', 'Profile', 'Cart'],
  })
  await page.getByRole('article').first().waitFor()
  await page.getByRole('link', { name: 'Dessert' }).click()
  await page.waitForURL('**/item?category=dessert')
  await page.goBack()
  await page.getByRole('searchbox').fill('kottu')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.waitForURL('**/item?q=kottu')
})

test('a guest is offered the login', async ({ visit }) => {
  const page = await visit('/')
  await seen(page.getByRole('banner'), 'header', { link: ['Login'] })
})

test('items are found while typing, by category and in order', async ({ visit }) => {
  const { owner, restaurant, item } = await newRestaurantWithItem()
  const pudding = await newItem(owner, restaurant._id, { name: `Pudding ${restaurant._id.slice(-6)}`, category: 'dessert' })
  const page = await visit('/item')
  await seen(page, 'routes', { route: ['/item'] })
  const search = page.getByRole('searchbox', { name: 'Search items' })
  await search.fill(item.name)
  await page.getByRole('article', { name: item.name }).waitFor()
  await search.fill(pudding.name)
  await page.getByRole('article', { name: pudding.name }).waitFor()
  await page.getByText('Dessert', { exact: true }).click()
  await page.getByRole('article', { name: pudding.name }).waitFor()
  await page.getByText('Family Meals', { exact: true }).click()
  await page.getByRole('article', { name: pudding.name }).waitFor({ state: 'detached' })

  await page.goto('/item?sort=price')
  await page.getByRole('article').first().waitFor()
  const prices = await page.getByRole('article').getByText(/^Rs\. /).allTextContents()
  const sums = prices.map((price) => Number(price.replace(/[^\d.]/g, '')))
  expect(sums).toEqual([...sums].sort((a, b) => a - b))

  await page.goto('/item?q=nothing-is-called-this-at-all')
  await seen(page, 'items', { text: ['No items found.'] })
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await page.getByRole('article').first().waitFor()
})

test('eight skeletons are shown while items load', async ({ visit }) => {
  const page = await visit('/testing')
  let answer: () => void = () => undefined
  const held = new Promise<void>((resolve) => { answer = resolve })
  await page.route('**/api/v1/collection?*', async (route) => {
    await held
    await route.fallback()
  })
  await page.goto('/item')
  await page.getByTestId('item-skeleton').nth(7).waitFor()
  await expect.poll(() => page.getByTestId('item-skeleton').count()).toBe(8)
  answer()
  await page.getByRole('article').first().waitFor()
})

test('items that cannot be had say so', async ({ visit }) => {
  const page = await visit('/testing')
  await refuseCall(page, 'GET', '/api/v1/collection?*', { status: 400 }, true)
  await page.goto('/item')
  await seen(page, 'items', { text: ['An error occurred'] })
})

test('a restaurant opens from the list and from its address, and shows picture after picture', async ({ visit }) => {
  const { restaurant, item } = await newRestaurantWithItem()
  const page = await visit(`/restaurant?q=${encodeURIComponent(restaurant.name)}`)
  await seen(page, 'routes', { route: ['/restaurant'] })
  await page.getByRole('link', { name: restaurant.name }).click()
  await seen(page, 'routes', { route: ['/restaurant/*'] })
  await page.getByRole('article', { name: item.name }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: restaurant.name }).waitFor()

  const second = page.getByRole('img', { name: `${restaurant.name}, picture 2 of 2` })
  await second.waitFor()
  await page.getByRole('button', { name: 'Pause pictures' }).click()
  await page.getByRole('button', { name: 'Picture 1' }).click()
  await page.getByRole('button', { name: 'Play pictures' }).waitFor()
})

test('pictures do not move with reduced motion', async ({ visit }) => {
  const { restaurant } = await newRestaurantWithItem()
  const page = await visit(`/restaurant/${restaurant._id}`, { reducedMotion: 'reduce' })
  await page.getByRole('button', { name: 'Picture 2' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Pause pictures' }).count()).toBe(0)
})

test('a restaurant that is not there, has nothing, or cannot be had says so', async ({ visit }) => {
  const owner = await newAccount('restaurant')
  const restaurant = await newRestaurant(owner)
  const page = await visit('/restaurant/01920000-0000-7000-8000-000000000000')
  await seen(page, 'restaurant', { text: ['Restaurant not found.'] })
  await page.goto(`/restaurant/${restaurant._id}`)
  await seen(page, 'restaurant', { text: ['No food items found for this restaurant.'] })
  await refuseCall(page, 'GET', '/api/v1/collection/getAll/*', { status: 500 }, true)
  await page.reload()
  await seen(page, 'restaurant', { text: ['Failed to load restaurant or collections.'] })
})

test('what is typed in as a name is shown as a text', async ({ visit }) => {
  const owner = await newAccount('restaurant')
  const name = '<img src=x onerror=alert(1)>'
  const restaurant = await newRestaurant(owner, { name, description: '<script>alert(1)</script>' })
  const page = await visit(`/restaurant/${restaurant._id}`)
  page.on('dialog', () => { throw new Error('a script ran') })
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.getByText('<script>alert(1)</script>').waitFor()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on the open pages, ${colorScheme}`, async ({ visit }) => {
    const { restaurant } = await newRestaurantWithItem()
    const page = await visit('/', { colorScheme, reducedMotion: 'reduce' })
    for (const path of ['/', '/restaurant', `/restaurant/${restaurant._id}`, '/item', '/testing', '/nowhere']) {
      await page.goto(path)
      await page.locator('h1').first().waitFor()
      await page.waitForLoadState('networkidle')
      await expectAccessible(page)
    }
    await page.goto('/')
    await page.locator('h1').first().waitFor()
    await page.getByRole('button', { name: 'Language and appearance' }).click()
    await page.getByRole('menu').waitFor()
    await expectAccessible(page)
  })
}
