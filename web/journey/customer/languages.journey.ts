import { expect } from 'vitest'

import { expectAccessible } from '../axe'
import { confirm, newKitchen, newOrders } from '../kitchen'
import { newPerson } from '../people'
import { test } from '../test'

test('a wrong password is told in Sinhala', async ({ visit }) => {
  const { email } = await newPerson()
  const page = await visit('/login', { language: 'si', width: 390 })
  await page.getByLabel('විද්‍යුත් තැපෑල').fill(email)
  await page.getByLabel('මුරපදය', { exact: true }).fill('Another@2026')
  await page.getByRole('button', { name: 'පිවිසෙන්න' }).click()
  await page.getByText('විද්‍යුත් තැපෑල හෝ මුරපදය වැරදියි.').waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('si')
  await expectAccessible(page)
})

test('a notification is read in Tamil, and in English once that is chosen', async ({ visit }) => {
  const { owner, item } = await newKitchen()
  const [customer, driver] = [await newPerson(), await newPerson('delivery')]
  const [order] = await newOrders(customer, [item._id])
  if (order === undefined) throw new Error('one order')
  await confirm(owner, order.orderId, driver)
  const page = await visit('/', { as: customer, language: 'ta' })
  await page.getByRole('button', { name: /அறிவிப்புகள்/ }).click()
  await page.getByText(`உங்கள் ${order.orderId} ஆர்டர் உறுதியானது`).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('ta')

  await page.evaluate(() => { localStorage.setItem('language', 'en') })
  await page.reload()
  await page.getByRole('button', { name: /notification/i }).click()
  await page.getByText(`Your order ${order.orderId} is confirmed`).waitFor()
})
