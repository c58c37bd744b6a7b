import { expect } from 'vitest'

import { expectAccessible } from '../axe'
import { URL_OF_PLATFORM } from '../browser'
import { viewports } from '../customer/viewports'
import { expectNoHorizontalScroll, expectLabelsFit } from '../layout'
import { demo } from '../accounts'
import { test } from '../test'
import { scrollToTop } from './console'

const MODEL = 'payment_ORDERS'

test.for(viewports)('the console asks who is there once the last proof is old, at $width px', async ({ width, colorScheme }, { visit }) => {
  const page = await visit('/admin/events/models', { as: demo.admin, width, colorScheme })
  let asked = 0
  await page.route(`${URL_OF_PLATFORM}/api/v1/operator/projections/${MODEL}/verify`, async (route) => {
    asked += 1
    if (asked > 1) return await route.fallback()
    const message = 'Please confirm that it is you: your last proof is too old for this.'
    const body = JSON.stringify({ status: 401, message, reason: 'insufficient_user_authentication', maxAge: 300 })
    return await route.fulfill({ status: 401, contentType: 'application/problem+json', body })
  })
  await page.getByRole('button', { name: `Verify ${MODEL}` }).click()
  const why = page.getByRole('dialog')
  await why.getByRole('textbox').fill('a journey')
  await why.getByRole('button', { name: 'Verify', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.waitFor()
  const password = dialog.getByLabel('Password', { exact: true })
  await password.waitFor()
  await scrollToTop(page)
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await expectLabelsFit(page)
  const confirmed = page.waitForResponse('**/api/v1/users/confirm')
  await password.fill(demo.admin.password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  expect((await confirmed).status()).toBe(200)
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => asked).toBe(2)
})
