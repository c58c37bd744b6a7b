import { expect } from 'vitest'

import { expectAccessible } from '../axe'
import { confirmOrder, newRestaurantWithItem, newOrders } from '../restaurants'
import { expectNoHorizontalScroll, expectLabelsFit } from '../layout'
import { newAccount } from '../accounts'
import { test } from '../test'

test('a wrong password is reported in Sinhala', async ({ visit }) => {
  const { email } = await newAccount()
  const page = await visit('/login', { language: 'si', width: 390 })
  await page.getByLabel('විද්‍යුත් තැපෑල').fill(email)
  await page.getByLabel('මුරපදය', { exact: true }).fill('Another@2026')
  await page.getByRole('button', { name: 'පිවිසෙන්න' }).click()
  await page.getByText('විද්‍යුත් තැපෑල හෝ මුරපදය වැරදියි.').waitFor()
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('si')
  await expectAccessible(page)
})

test('a notification is read in Tamil, and in English once that is chosen', async ({ visit }) => {
  const { owner, item } = await newRestaurantWithItem()
  const [customer, driver] = [await newAccount(), await newAccount('delivery')]
  const [order] = await newOrders(customer, [item._id])
  if (order === undefined) throw new Error('one order')
  await confirmOrder(owner, order.orderId, driver)
  const page = await visit('/', { as: customer, language: 'ta' })
  await page.getByRole('button', { name: /அறிவிப்புகள்/ }).click()
  await page.getByText(`உங்கள் ${order.orderId} ஆர்டர் உறுதியானது`).waitFor()
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('ta')

  await page.evaluate(() => { localStorage.setItem('language', 'en') })
  await page.reload()
  await page.getByRole('button', { name: /notification/i }).click()
  await page.getByText(`Your order ${order.orderId} is confirmed`).waitFor()
})

test.for(['en', 'si', 'ta'] as const)('the narrowest phone has room for every word in %s, and the dates are in it', async (language, { visit }) => {
  const { restaurant, item } = await newRestaurantWithItem()
  const customer = await newAccount()
  const [order] = await newOrders(customer, [item._id])
  if (order === undefined) throw new Error('one order')
  const checkout = `?checkout=${order.checkoutId}`
  const own = ['/', '/location', '/profile', '/contact', `/bookingconfirmation${checkout}`, `/payment${checkout}`]
  const open = ['/restaurant', `/restaurant/${restaurant._id}`, '/item', `/product/${item._id}`, '/cart', '/login', '/register', '/nowhere']
  const visits = [
    { as: customer, paths: own },
    { as: undefined, paths: open },
  ]
  for (const { as, paths } of visits) {
    // As narrow as https://www.w3.org/TR/WCAG22/#reflow has it.
    const page = await visit('/favicon.svg', { as, language, width: 320 })
    for (const path of paths) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined)
      await expectNoHorizontalScroll(page)
      await expectLabelsFit(page)
      if (path !== '/profile') continue
      await page.getByText(order.orderId).first().waitFor()
      const isEnglish = async () => /\d:\d\d\s[AP]M/i.test(await page.locator('main').innerText())
      await expect.poll(isEnglish).toBe(language === 'en')
    }
  }
})
