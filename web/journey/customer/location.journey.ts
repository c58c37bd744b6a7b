import { beforeAll, expect } from 'vitest'
import * as v from 'valibot'

import { expectAccessible } from '../axe'
import { expectNoHorizontalScroll } from '../layout'
import { newAccount, type Account } from '../accounts'
import { call } from '../platform'
import { seen } from '../spec/seen'
import { refuseCall, test } from '../test'
import { viewports } from './viewports'

const HERE = { permissions: ['geolocation'], geolocation: { latitude: 6.9, longitude: 79.86 } }

let customer: Account

beforeAll(async () => {
  customer = await newAccount()
})

test.for(viewports)('the pin follows device, keyboard, hand and search, and is saved, at $width px', async ({ width, colorScheme }, { visit }) => {
  const page = await visit('/location', { as: customer, width, colorScheme, ...HERE })
  await seen(page, 'routes', { route: ['/location'] })
  const place = page.getByTestId('place')
  await place.filter({ hasText: '6.90000, 79.86000' }).waitFor()
  const pin = page.getByTestId('pin')
  await pin.waitFor()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)

  await pin.focus()
  await page.keyboard.press('ArrowUp')
  await expect.poll(async () => Number((await place.innerText()).split(',')[0])).toBeGreaterThan(6.9)
  const box = await pin.boundingBox()
  if (box === null) throw new Error('the pin is nowhere')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + 60, box.y + 40, { steps: 4 })
  await page.mouse.up()
  await expect.poll(async () => Number((await place.innerText()).split(',')[1])).toBeGreaterThan(79.8602)

  await page.getByLabel('Search for a street or neighbourhood').fill('borella')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('button', { name: 'Borella', exact: true }).click()
  await expect.poll(async () => Number((await place.innerText()).split(',')[1])).toBeGreaterThan(79.87)

  // The address of the pin may still be on its way; what is typed stays.
  const address = `${String(width)} Ward Place`
  await page.getByLabel('Address').fill(address)
  await page.getByRole('button', { name: 'Save location' }).click()
  await page.getByText('Your location is saved.').waitFor()
  const saved = v.object({ address: v.string(), lng: v.number() })
  const profile = v.parse(saved, await call('GET', `/api/v1/users/${customer.id}`, { token: customer.token }))
  expect(profile.address).toBe(address)
  expect(profile.lng).toBeGreaterThan(79.87)
  const kept = await page.evaluate(() => localStorage.getItem('user') ?? '')
  expect(kept).toContain(customer.email)
  for (const secret of [address, 'phone', 'lng']) expect(kept).not.toContain(secret)
})

test('says what went wrong with the saving and with the details', async ({ visit }) => {
  const page = await visit('/location', { as: customer, ...HERE })
  await page.getByTestId('place').filter({ hasText: '6.90000, 79.86000' }).waitFor()
  await refuseCall(page, 'PUT', '/api/**/users/update/*', { status: 503 })
  await page.getByRole('button', { name: 'Save location' }).click()
  await seen(page, 'location', { text: ['Failed to update user location.'] })
  await refuseCall(page, 'GET', '/api/v1/geocode/reverse**', { status: 503 }, true)
  await page.getByRole('button', { name: 'Use Current Location' }).click()
  await seen(page, 'location', { text: ['Failed to fetch location details.'] })
})

test('a guest sees that an account is needed, and a refused permission is shown', async ({ visit }) => {
  const page = await visit('/location')
  await seen(page, 'location', { text: ['Failed to access your location.'] })
  await page.getByRole('button', { name: 'Save location' }).click()
  await seen(page, 'location', { text: ['User not logged in'] })
})

test('a browser without geolocation is reported', async ({ visit }) => {
  const page = await visit('/contact', { as: customer })
  await page.addInitScript(() => { Reflect.deleteProperty(Navigator.prototype, 'geolocation') })
  await page.goto('/location')
  await seen(page, 'location', { text: ['Geolocation is not supported by your browser.'] })
})
