import type { Page } from 'playwright-core'
import { expect } from 'vitest'

import { expectAccessible } from '../axe'
import { expectNoHorizontalScroll } from '../layout'
import { newEmail } from '../accounts'
import { picture } from '../picture'
import { seen } from '../spec/seen'
import { refuseCall, test } from '../test'

const HINT =
  'Password must be at least 8 characters long and include at least one uppercase letter and one symbol.'

async function fill(page: Page, email: string) {
  await page.getByLabel('First name').fill('Ruwan1')
  await page.getByLabel('Last name').fill('Silva_2')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('Tiffin@2026')
  await page.getByLabel('Address').fill('7 Marine Drive, Colombo')
  await page.getByLabel('Phone').fill('07x71234567')
}

async function upload(page: Page) {
  await page.locator('input[type=file]').setInputFiles(picture)
}

async function submit(page: Page) {
  await page.getByRole('button', { name: 'Register' }).click()
}

test('an owner signs up', async ({ visit }) => {
  const page = await visit('/restaurant-signup')
  await seen(page, 'restaurant sign-up', { route: 'all', field: 'all', button: 'all', link: 'all' })
  await seen(page, 'restaurant sign-up', { text: ['Restaurant Register', HINT] })
  await submit(page)
  await seen(page, 'restaurant sign-up', { text: ['Please upload profile picture'] })
  const email = newEmail()
  await fill(page, email)
  // Only letters and spaces stay of a name, only digits of a phone number.
  await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Ruwan')
  await expect.poll(() => page.getByLabel('Phone').inputValue()).toBe('0771234567')

  await refuseCall(page, 'POST', '/storage/v1/object/images/**', { status: 500 })
  await upload(page)
  await seen(page, 'restaurant sign-up', { text: ['Image upload failed.'] })
  await upload(page)
  await seen(page, 'restaurant sign-up', { text: ['Image uploaded successfully!'] })
  await refuseCall(page, 'POST', '/api/v1/users', { status: 409 })
  await submit(page)
  await seen(page, 'restaurant sign-up', { text: ['Email Already Added'] })
  await submit(page)
  await seen(page, 'restaurant sign-up', { text: ['Registration Successfully'] })
  await page.waitForURL('**/login')
})

test('a driver signs up, with vehicle and NIC', async ({ visit }) => {
  const page = await visit('/driver-signup')
  await seen(page, 'driver sign-up', { route: 'all', field: 'all', option: 'all', button: 'all' })
  await seen(page, 'driver sign-up', { text: ['Register as Driver', HINT] })
  await fill(page, newEmail())
  await refuseCall(page, 'POST', '/storage/v1/object/images/**', { status: 500 })
  await upload(page)
  await seen(page, 'driver sign-up', { text: ['Image upload failed.'] })
  await upload(page)
  await seen(page, 'driver sign-up', { text: ['Image uploaded successfully!'] })
  await submit(page)
  await page.getByText('Please select a vehicle type.').waitFor()
  await page.getByText('Please enter your NIC.').waitFor()
  await page.getByLabel('Vehicle type').selectOption('Van')
  await page.getByLabel('Driver NIC').fill('199012345678')
  await refuseCall(page, 'POST', '/api/v1/driver', { status: 409 })
  await submit(page)
  await seen(page, 'driver sign-up', { text: ['Email Already Added'] })
  await submit(page)
  await seen(page, 'driver sign-up', { text: ['Registration Successfully'] })
  await page.waitForURL('**/login')
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the sign-ups are accessible and fit a phone, ${colorScheme}`, async ({ visit }) => {
    for (const path of ['/restaurant-signup', '/driver-signup']) {
      const page = await visit(path, { width: 390, colorScheme })
      await submit(page)
      await expectAccessible(page)
      await expectNoHorizontalScroll(page)
    }
  })
}
