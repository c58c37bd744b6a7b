import { expect } from 'vitest'

import { expectAccessible } from '../axe'
import { confirm, newKitchen, newOrders } from '../kitchen'
import { expectNoSideScroll } from '../narrow'
import { newPerson } from '../people'
import { call } from '../platform'
import { test } from '../test'
import { looks } from './looks'

test.for(looks)('a delivery is followed by its URL alone, at $width px', async ({ width, colorScheme }, { visit }) => {
  const { owner, item } = await newKitchen()
  const [customer, driver] = [await newPerson(), await newPerson('delivery')]
  const [order] = await newOrders(customer, [item._id])
  if (order === undefined) throw new Error('nothing was ordered')
  const delivery = await confirm(owner, order.orderId, driver)
  const page = await visit(`/track/${delivery._id}`, { as: customer, width, colorScheme })
  await page.getByRole('heading', { name: 'Assigned' }).waitFor()
  await page.getByTestId('promised').waitFor()

  // All of it in words, for those who cannot see the map.
  const as = { token: driver.token }
  await call('PUT', `/api/v1/delivery/update/${delivery._id}`, { ...as, body: { status: 'on the way' } })
  await page.getByRole('heading', { name: 'On the way' }).waitFor()
  await call('PUT', `/api/v1/delivery/location/${delivery._id}`, { ...as, body: { lat: 6.9105, lng: 79.8535 } })
  await page.getByTestId('driver-marker').waitFor()
  await page.getByTestId('position-age').filter({ hasText: /updated \d+ s ago/ }).waitFor()
  await expect.poll(async () => await page.getByTestId('tracking-announcement').textContent(), { timeout: 30_000 }).toContain('On the way.')
  await expectAccessible(page)
  await expectNoSideScroll(page)
})

test('somebody else sees no such delivery', async ({ visit }) => {
  const page = await visit('/track/01999999-0000-7000-8000-000000000000', { as: await newPerson() })
  await page.getByText('There is no such delivery.').waitFor()
})

test('a stranger logs in and goes on to the delivery', async ({ visit }) => {
  const person = await newPerson()
  const page = await visit('/track/01999999-0000-7000-8000-000000000000')
  await page.waitForURL('**/login')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('**/track/01999999-0000-7000-8000-000000000000')
})
