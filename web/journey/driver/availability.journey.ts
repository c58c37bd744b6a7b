import { expect } from 'vitest'

import { expectAccessible } from '../axe'
import { expectNoHorizontalScroll } from '../layout'
import { demo, newAccount } from '../accounts'
import { picture } from '../picture'
import { seen } from '../spec/seen'
import { refuseCall, test } from '../test'

test('a driver changes their details, picture and availability', async ({ visit }) => {
  const driver = await newAccount('delivery')
  const page = await visit('/driver/available', { as: driver })
  await seen(page, 'driver availability', { route: 'all', field: 'all', button: 'all' })
  await seen(page, 'driver availability', { text: ['Driver Availability Profile'] })
  await expect.poll(() => page.getByLabel('Email').isEditable()).toBe(false)
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(driver.email)

  const upload = page.locator('input[type=file]')
  await refuseCall(page, 'POST', '/storage/v1/object/images/**', { status: 500 })
  await upload.setInputFiles(picture)
  await seen(page, 'driver availability', { text: ['Image upload failed'] })
  await upload.setInputFiles(picture)
  await seen(page, 'driver availability', { text: ['Uploaded'] })

  await page.getByLabel('First name').fill('Sunil')
  await page.getByLabel('Vehicle type').selectOption('Truck')
  await page.getByLabel('Driver NIC').fill('200012345678')
  await page.getByLabel('Available for delivery').check()
  await refuseCall(page, 'PUT', '/api/v1/driver/**', { status: 503 })
  const save = page.getByRole('button', { name: 'Update Driver Info' })
  await save.click()
  await seen(page, 'driver availability', { text: ['Update failed'] })
  // By keyboard: a message lies over the button for as long as the mouse is on it.
  await save.press('Enter')
  await seen(page, 'driver availability', { text: ['Driver updated successfully'] })

  await page.reload()
  await expect.poll(async () => await page.getByLabel('First name').inputValue()).toBe('Sunil')
  await expect.poll(() => page.getByLabel('Vehicle type').inputValue()).toBe('Truck')
  await expect.poll(() => page.getByLabel('Driver NIC').inputValue()).toBe('200012345678')
  await expect.poll(() => page.getByLabel('Available for delivery').isChecked()).toBe(true)
})

test('the panel leads everywhere, and out', async ({ visit }) => {
  const page = await visit('/driver/', { as: await newAccount('delivery') })
  await page.waitForURL('**/driver/track')
  await seen(page, 'driver panel', { link: 'all', button: 'all', text: 'all' })
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL('**/login')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await seen(page, 'driver panel', { route: 'all' })
  const admin = await visit('/driver/available', { as: demo.admin })
  await admin.waitForURL('**/admin**')
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the driver's details are accessible and fit a phone, ${colorScheme}`, async ({ visit }) => {
    for (const width of [1280, 390]) {
      const page = await visit('/driver/available', { as: demo.driver, width, colorScheme })
      await page.getByLabel('First name').waitFor()
      await expectAccessible(page)
      await expectNoHorizontalScroll(page)
    }
  })
}
