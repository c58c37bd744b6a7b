import { expect } from 'vitest'

import { expectAccessible } from '../axe'
import { confirmOrder, newRestaurantWithItem, newOrders } from '../restaurants'
import { expectNoHorizontalScroll } from '../layout'
import { newAccount } from '../accounts'
import { picture } from '../picture'
import { call } from '../platform'
import { seen } from '../spec/seen'
import { refuseCall, test } from '../test'
import { viewports } from './viewports'

const HERE = { permissions: ['geolocation'], geolocation: { latitude: 6.9, longitude: 79.86 } }

test.for(viewports)('the profile is changed, and says what went wrong, at $width px', async ({ width, colorScheme }, { visit }) => {
  const page = await visit('/profile', { as: await newAccount(), width, colorScheme, ...HERE })
  await seen(page, 'routes', { route: ['/profile'] })
  await seen(page, 'profile', {
    field: ['First name', 'Last name', 'Email', 'Phone', 'Address'],
    button: ['Use Current Location', 'Update Profile', 'Delete Account', 'Logout', 'Change Password'],
  })
  await expect.poll(() => page.getByLabel('Email', { exact: true }).isEditable()).toBe(false)
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)

  await page.getByRole('button', { name: 'Use Current Location' }).click()
  await seen(page, 'profile', { text: ['Location fetched!'] })
  await page.getByLabel('First name').fill('')
  await page.getByLabel('First name').pressSequentially('Sa4nd_a')
  await refuseCall(page, 'PUT', '/api/v1/users/update/*', { status: 503 })
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await seen(page, 'profile', { text: ['Failed to update profile.'] })
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await seen(page, 'profile', { text: ['Profile updated!'] })
  await page.getByRole('heading', { name: 'Hello, Sanda' }).waitFor()

  await refuseCall(page, 'POST', '/storage/**', { status: 503 })
  const file = page.locator('input[type=file]')
  await file.setInputFiles(picture)
  await seen(page, 'profile', { text: ['Image upload failed.'] })
  await file.setInputFiles(picture)
  await seen(page, 'profile', { text: ['Image uploaded.'] })
})

test('the password is changed, and the account is left', async ({ visit }) => {
  const person = await newAccount()
  const page = await visit('/profile', { as: person })
  await page.getByRole('button', { name: 'Change Password' }).click()
  await page.getByLabel('Old password').fill(person.password)
  await page.getByLabel('New password').fill('Better@2027')
  await refuseCall(page, 'PUT', '/api/v1/users/update/password/*', { status: 503 })
  await page.getByRole('button', { name: 'Save password' }).click()
  await seen(page, 'profile', { text: ['Failed to change password'] })
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByText('Password changed').waitFor()
  await page.getByRole('button', { name: 'Logout' }).click()
  await seen(page, 'profile', { text: ['Logged out'] })
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  // The next who signs in is not led to where the last one was.
  await page.waitForURL('**/login')
  const next = await newAccount()
  await page.getByLabel('Email').fill(next.email)
  await page.getByLabel('Password', { exact: true }).fill(next.password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/')
})

test('an account is removed once that is confirmed', async ({ visit }) => {
  const page = await visit('/profile', { as: await newAccount() })
  await page.getByRole('button', { name: 'Delete Account' }).click()
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await refuseCall(page, 'DELETE', '/api/v1/users/*', { status: 503 })
  await page.getByRole('button', { name: 'Delete Account' }).click()
  await page.getByRole('button', { name: 'Yes', exact: true }).click()
  await seen(page, 'profile', { text: ['Delete failed.'] })
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Delete Account' }).click()
  await page.getByRole('button', { name: 'Yes', exact: true }).click()
  await seen(page, 'profile', { text: ['Account removed.'] })
  await page.waitForURL((url) => url.pathname === '/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
})

test('a device without permission to its position is reported', async ({ visit }) => {
  const page = await visit('/profile', { as: await newAccount() })
  await page.getByRole('button', { name: 'Use Current Location' }).click()
  await seen(page, 'profile', { text: ['Geolocation not allowed or failed.'] })
})

test('the history that could not be had says so', async ({ visit }) => {
  const page = await visit('/contact', { as: await newAccount() })
  // Each time: the socket has it asked for again as soon as it is there.
  await refuseCall(page, 'GET', '/api/v1/delivery', { status: 403 }, true)
  await page.goto('/profile')
  await seen(page, 'profile', { text: ['Could not fetch delivery history.'] })
})

test('a profile whose user was lost is read again', async ({ visit }) => {
  const page = await visit('/contact', { as: await newAccount() })
  await page.evaluate(() => { localStorage.removeItem('user') })
  await page.route('**/api/v1/users/refresh', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await route.continue()
  })
  await page.goto('/profile')
  await seen(page, 'profile', { text: ['Loading profile...'] })
  await page.getByRole('heading', { name: 'Hello, Nimali' }).waitFor()
})

test('an order is called off while it is pending', async ({ visit }) => {
  const { item } = await newRestaurantWithItem()
  const customer = await newAccount()
  const [order] = await newOrders(customer, [item._id])
  const page = await visit('/profile', { as: customer })
  await page.getByRole('button', { name: `Cancel order ${order?.orderId ?? ''}` }).click()
  await page.getByRole('button', { name: 'Yes', exact: true }).click()
  await page.getByText('The order was cancelled.').waitFor()
  await expect.poll(async () => await page.getByTestId('waiting-order').count()).toBe(0)
})

test('a delivery is followed on the map, and ordered again once it is there', async ({ visit }) => {
  const { owner, item } = await newRestaurantWithItem()
  const [customer, driver] = [await newAccount('customer', { lat: 6.9, lng: 79.86 }), await newAccount('delivery')]
  const [order] = await newOrders(customer, [item._id])
  if (order === undefined) throw new Error('nothing was ordered')
  const delivery = await confirmOrder(owner, order.orderId, driver)
  const as = { token: driver.token }
  await call('PUT', `/api/v1/delivery/update/${delivery._id}`, { ...as, body: { status: 'on the way' } })
  await call('PUT', `/api/v1/delivery/location/${delivery._id}`, { ...as, body: { lat: 6.9105, lng: 79.8535 } })

  const page = await visit('/profile', { as: customer })
  await page.getByRole('button', { name: `Show map for ${order.orderId}` }).click()
  await seen(page, 'profile', { image: ["Driver's Location"] })
  await expectAccessible(page)
  await page.getByRole('link', { name: `Follow ${order.orderId}` }).click()
  await page.waitForURL('**/track/**')
  await page.getByRole('heading', { name: 'On the way' }).waitFor()

  await call('PUT', `/api/v1/delivery/update/${delivery._id}`, { ...as, body: { status: 'delivered' } })
  await page.getByRole('heading', { name: 'Delivered' }).waitFor()
  await page.getByRole('link', { name: 'All deliveries' }).click()
  await page.getByRole('button', { name: /^Order .* again$/ }).click()
  await page.waitForURL('**/cart')
  await page.getByTestId('cart-total').filter({ hasText: 'Rs. 750.00' }).waitFor()
})
