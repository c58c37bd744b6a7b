import { readFileSync } from 'node:fs'

import { expect } from 'vitest'

import { expectAccessible } from '../axe'
import { expectNoHorizontalScroll, headingLeft } from '../layout'
import { demo, newAccount } from '../accounts'
import { call, eventually } from '../platform'
import { seen } from '../spec/seen'
import { test } from '../test'
import { newDriver, newVerifiedRestaurant, newOrder } from './restaurant'

test('the panel leads everywhere, and out', async ({ visit }) => {
  const page = await visit('/restaurantC/', { as: await newAccount('restaurant') })
  await page.waitForURL('**/restaurantC/booking')
  await seen(page, 'owner panel', { link: 'all', button: 'all', text: 'all' })
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL('**/login')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await seen(page, 'owner panel', { route: 'all' })
})

test('who does not own a restaurant is sent where they belong', async ({ visit }) => {
  const driver = await visit('/restaurantC/booking', { as: demo.driver })
  await driver.waitForURL('**/driver/track')
  const customer = await visit('/restaurantC/restaurant/add', { as: demo.customer })
  await customer.waitForURL(({ pathname }) => pathname === '/')
  const owner = await visit('/driver/track', { as: demo.owner })
  await owner.waitForURL('**/restaurantC/booking')
})

test('the owner reads reviews of their dishes only', async ({ visit }) => {
  const [shop, other] = [await newVerifiedRestaurant(), await newVerifiedRestaurant()]
  for (const [{ customer, item, owner, restaurant }, comment] of [
    [shop, 'Crisp and hot.'],
    [other, 'A dish of another shop.'],
  ] as const) {
    const body = {
      productId: item._id,
      rating: 4,
      comment,
      ownerId: owner.id,
      restaurantName: restaurant.name,
      itemName: item.name,
    }
    await eventually(async () => await call('POST', '/api/v1/reviews', { token: customer.token, body }).catch(() => undefined))
  }
  const page = await visit('/restaurantC/review', { as: shop.owner })
  await seen(page, 'owner reviews', { route: 'all' })
  const review = page.getByTestId('review').filter({ hasText: 'Crisp and hot.' })
  await review.getByText('4 / 5').waitFor()
  await review.getByText('Pending').waitFor()
  await expect.poll(() => page.getByText('A dish of another shop.').count()).toBe(0)
})

test('the owner’s profile can be changed', async ({ visit }) => {
  const page = await visit('/restaurantC/profile', { as: await newAccount('restaurant') })
  await seen(page, 'owner profile', { route: 'all' })
  await page.getByLabel('First name').fill('Dilani')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await page.getByText('Profile updated!').waitFor()
  await page.reload()
  await expect.poll(async () => await page.getByLabel('First name').inputValue()).toBe('Dilani')
})

test('the figures of the orders are shown as charts and as tables', async ({ visit }) => {
  const [shop, driver] = [await newVerifiedRestaurant(), await newDriver()]
  const { orderId } = await newOrder(shop)
  const paid = await newOrder(shop)
  const payment = { bookingId: paid.orderId, amount: paid.totalAmount, paymentType: 'PayPal' }
  await eventually(async () => call('POST', '/api/payment', { token: shop.customer.token, body: payment }).catch(() => undefined))
  await eventually(async () =>
    call('PUT', `/api/v1/orders/status/${orderId}`, { token: shop.owner.token, body: { status: 'confirmed', driverId: driver.id } }).catch(
      () => undefined,
    ),
  )
  const page = await visit('/restaurantC/figures', { as: shop.owner })
  const tile = (label: string) => page.locator('dl > div').filter({ has: page.getByText(label, { exact: true }) }).locator('dd').first()
  await expect.poll(async () => await tile('Orders').textContent()).toBe('2')
  await expect.poll(() => tile('Revenue').textContent()).toBe('Rs. 750.00')
  await expect.poll(() => tile('Unpaid').textContent()).toBe('Rs. 750.00')
  await expect.poll(() => tile('Time to confirm').textContent()).toMatch(/^\d+ min$/)
  await expect.poll(() => tile('Time to deliver').textContent()).toBe('N/A')
  const days = page.getByRole('table', { name: 'By day' }).getByRole('row')
  // The head, and today: quiet days are left out.
  await expect.poll(() => days.count()).toBe(2)
  await expect.poll(() => days.last().textContent()).toContain('Rs. 750.00Rs. 750.00')
  const chart = page.getByRole('region', { name: 'By day', exact: true }).getByRole('listbox')
  await expect.poll(() => chart.getByRole('option').count()).toBe(30)
  await page.getByText('7 days').click()
  await expect.poll(() => chart.getByRole('option').count()).toBe(7)
  await page.getByText('Previous 7 days: 0', { exact: true }).first().waitFor()
  await expect.poll(() => page.getByRole('table', { name: 'By hour of the day' }).getByRole('row').count()).toBe(25)
  await page.getByRole('table', { name: 'Top dishes' }).getByText(shop.item.name).waitFor()
  await expect.poll(() => page.getByRole('listbox', { name: 'Revenue' }).count()).toBe(2)
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download CSV: By day' }).click()])
  const [head, ...rows] = readFileSync(await download.path(), 'utf8').trim().split('\r\n')
  expect(head).toContain('Day,Orders,Revenue,Unpaid')
  expect(rows).toHaveLength(7)
  expect(rows.at(-1)).toMatch(/,2,750,750$/)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every page of the panel is accessible and fits a phone, ${colorScheme}`, async ({ visit }) => {
    const shop = await newVerifiedRestaurant()
    await newOrder(shop)
    const [restaurantId, id] = [shop.restaurant._id, shop.item._id]
    for (const width of [1280, 390]) {
      const lefts = new Set<number>()
      const page = await visit('/restaurantC/booking', { as: shop.owner, width, colorScheme })
      await page.getByTestId('order-row').waitFor()
      await page.getByRole('button', { name: 'View Items' }).click()
      await page.getByRole('button', { name: 'Show Description' }).click()
      await expectAccessible(page)
      await expectNoHorizontalScroll(page)
      await page.getByText('Board', { exact: true }).click()
      await page.getByTestId('order-card').waitFor()
      await expectAccessible(page)
      await expectNoHorizontalScroll(page)
      for (const path of [
        '/restaurantC/restaurant',
        '/restaurantC/restaurant/add',
        `/restaurantC/restaurant/edit?id=${restaurantId}`,
        `/restaurantC/restaurant/collection?restaurantId=${restaurantId}`,
        `/restaurantC/restaurant/collection/add?restaurantId=${restaurantId}`,
        `/restaurantC/restaurant/collection/update?id=${id}`,
        '/restaurantC/review',
        '/restaurantC/figures',
        '/restaurantC/profile',
      ]) {
        await page.goto(path)
        await page.locator('h1').waitFor()
        await page.waitForLoadState('networkidle')
        await expectAccessible(page)
        await expectNoHorizontalScroll(page)
        lefts.add(await headingLeft(page))
      }
      expect(lefts.size, 'headings begin at one place').toBe(1)
    }
  })
}
