import type { Page } from 'playwright-core'
import * as v from 'valibot'
import { expect } from 'vitest'

import type { Account } from '../accounts'
import { demo, login } from '../accounts'
import { expectAccessible } from '../axe'
import { URL_OF_PLATFORM } from '../browser'
import { expectNoHorizontalScroll } from '../layout'
import { newDriver, newOrder, newVerifiedRestaurant } from '../owner/restaurant'
import { call, deliverySchema, eventually } from '../platform'
import { confirmOrder } from '../restaurants'
import { refuseCall, test } from '../test'

const LNG = 79.8501

/** The settings that the page shows for a program. */
async function settings(page: Page) {
  const rows = await page.locator('[data-setting]').evaluateAll((all) => all.map((row) => [row.getAttribute('data-setting') ?? '', row.textContent]))
  return v.parse(v.record(v.string(), v.string()), Object.fromEntries(rows))
}

async function make(page: Page) {
  await page.getByRole('button', { name: 'Make a token' }).click()
  await page.getByRole('img', { name: 'QR code with the settings for Traccar Client' }).waitFor()
}

/** Sends a place as Traccar Client 9 does (https://www.traccar.org/osmand/). */
function sendTraccar({ ServerAddress, Identifier }: Record<string, string>, latitude: number) {
  const coords = { latitude, longitude: LNG, accuracy: 6.4, speed: 7.2, heading: 184.5, altitude: 5.1 }
  const location = {
    timestamp: new Date().toISOString(),
    coords,
    is_moving: true,
    odometer: 812.4,
    event: 'motionchange',
    battery: { level: 0.74, is_charging: false },
    activity: { type: 'in_vehicle' },
    extras: {},
  }
  return fetch(ServerAddress ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ location, device_id: Identifier }),
  })
}

/** Sends a place as OwnTracks does in its HTTP mode (https://owntracks.org/booklet/tech/http/). */
function sendOwnTracks({ ServerAddress, UserName, Password }: Record<string, string>, lat: number) {
  return fetch(ServerAddress ?? '', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-limit-u': 'driver',
      'x-limit-d': 'phone',
      authorization: `Basic ${btoa(`${UserName ?? ''}:${Password ?? ''}`)}`,
    },
    // Whole seconds: the next one, so that it is later than all before.
    body: JSON.stringify({ _type: 'location', lat, lon: LNG, tst: Math.ceil(Date.now() / 1000), acc: 12, batt: 74, t: 'u', tid: 'DR' }),
  })
}

/** The delivery of an order. */
async function deliveryOf(customer: Account, orderId: string) {
  return await eventually(async () => {
    const all = v.parse(v.array(deliverySchema), await call('GET', '/api/v1/delivery', { token: customer.token }))
    return all.find((delivery) => delivery.orderId === orderId)?._id
  })
}

const placeSchema = v.object({ lat: v.nullable(v.number()) })

/** Waits until a delivery's customer gets this latitude. */
async function arrives(customer: Account, orderId: string, lat: number) {
  await eventually(async () => {
    const found = v.parse(placeSchema, await call('GET', `/api/v1/delivery/loc/${orderId}`, { token: customer.token }))
    return found.lat === lat ? true : undefined
  })
}

test('a locked phone moves the marker by either program until its token is revoked', async ({ visit }) => {
  const [shop, driver] = [await newVerifiedRestaurant(), await newDriver()]
  const { orderId } = await newOrder(shop)
  await confirmOrder(shop.owner, orderId, driver)
  // By way of the switch that stops sharing once the phone is locked.
  const page = await visit('/driver/track', { as: driver })
  await page.getByRole('link', { name: 'Go on while the phone is locked' }).click()
  await page.getByText('No phone has a token yet.').waitFor()
  await make(page)
  const traccar = await settings(page)
  await page.getByText('OwnTracks', { exact: true }).click()
  await page.getByRole('img', { name: 'QR code with the settings for OwnTracks' }).waitFor()
  const ownTracks = await settings(page)
  expect(ownTracks.Password).toBe(traccar.Identifier)
  expect(traccar.ServerAddress).toBe(`${URL_OF_PLATFORM}/api/v1/delivery/phone/traccar`)
  await page.getByRole('button', { name: 'I have set up my phone' }).click()
  await page.getByText(traccar.Identifier ?? '').waitFor({ state: 'detached' })

  const watched = await visit(`/track/${await deliveryOf(shop.customer, orderId)}`, { as: shop.customer })
  await watched.getByText(orderId).first().waitFor()
  const first = await sendTraccar(traccar, 6.9151)
  expect([first.status, await first.json()]).toEqual([200, { outcome: 'used' }])
  await arrives(shop.customer, orderId, 6.9151)
  await watched.getByTestId('position-age').filter({ hasText: /updated \d+ s ago/ }).waitFor()
  const second = await sendOwnTracks(ownTracks, 6.9162)
  expect([second.status, await second.json()]).toEqual([200, []])
  await arrives(shop.customer, orderId, 6.9162)

  await page.reload()
  await page.getByTestId('phone-token').getByText('The last place was recorded.', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect((await sendTraccar(traccar, 6.9173)).status).toBe(200)
  await page.getByRole('button', { name: 'Revoke token' }).press('Enter')
  await page.getByRole('button', { name: 'Yes, revoke it' }).click()
  await page.getByText('No phone has a token yet.').waitFor()
  expect((await sendTraccar(traccar, 6.9184)).status).toBe(401)
  expect((await sendOwnTracks(ownTracks, 6.9184)).status).toBe(401)
  await arrives(shop.customer, orderId, 6.9173)
})

test('a blocked driver\'s phone is refused', async ({ visit }) => {
  const [driver, admin] = [await newDriver(), await login(demo.admin)]
  const page = await visit('/driver/available', { as: driver })
  await make(page)
  const traccar = await settings(page)
  const before = await sendTraccar(traccar, 6.9151)
  expect(await before.json()).toEqual({ outcome: 'no-delivery' })
  await page.close()
  await call('PUT', `/api/v1/users/block/${driver.email}`, { token: admin.token, body: { isBlocked: true } })
  await eventually(async () => ((await sendTraccar(traccar, 6.9151)).status === 401 ? true : undefined))
  await call('PUT', `/api/v1/users/block/${driver.email}`, { token: admin.token, body: { isBlocked: false } })
  expect((await sendTraccar(traccar, 6.9151)).status).toBe(401)
})

test('the card says that the token can\'t be had, and asks again', async ({ visit }) => {
  const driver = await newDriver()
  const page = await visit('/driver/track', { as: driver })
  const allow = await refuseCall(page, 'GET', '/api/v1/delivery/phone', { status: 503 }, true)
  await page.getByRole('link', { name: 'Go on while the phone is locked' }).click()
  const card = page.getByRole('region', { name: 'Share your place while the phone is locked' })
  const again = card.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  allow()
  await again.click()
  await card.getByText('No phone has a token yet.').waitFor()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the phone's card is accessible and fits, ${colorScheme}`, async ({ visit }) => {
    const driver = await newDriver()
    for (const [index, width] of [1280, 390].entries()) {
      const page = await visit('/driver/available', { as: driver, width, colorScheme })
      if (index === 0) await make(page)
      else {
        await page.getByRole('button', { name: 'Make another token' }).click()
        await page.getByRole('button', { name: 'Yes, make another' }).click()
        await page.getByRole('img', { name: 'QR code with the settings for Traccar Client' }).waitFor()
      }
      const card = page.getByRole('region', { name: 'Share your place while the phone is locked' })
      for (const program of ['Traccar Client', 'OwnTracks']) {
        await page.getByText(program, { exact: true }).click()
        await page.getByRole('img', { name: `QR code with the settings for ${program}` }).waitFor()
        await expectAccessible(page)
        await expectNoHorizontalScroll(page)
        const folder = process.env.TIFFIN_SHOTS
        if (folder !== undefined) await card.screenshot({ path: `${folder}/locked-phone-${program}-${String(width)}-${colorScheme}.png` })
      }
    }
  })
}

for (const language of ['si', 'ta'] as const) {
  test(`the phone's card fits in each language, ${language}`, async ({ visit }) => {
    const page = await visit('/driver/available', { as: await newDriver(), width: 390, language })
    const card = page.locator('section[aria-labelledby=locked-phone]')
    await card.getByRole('button').first().click()
    await card.getByTestId('new-token').getByRole('img').waitFor()
    await expectNoHorizontalScroll(page)
    const folder = process.env.TIFFIN_SHOTS
    if (folder !== undefined) await card.screenshot({ path: `${folder}/locked-phone-${language}.png` })
  })
}
