import type { Page } from 'playwright-core'
import { expect } from 'vitest'

import { appCode } from '../authenticator'
import { expectAccessible } from '../axe'
import { expectNoHorizontalScroll, expectLabelsFit } from '../layout'
import { mailsTo, newAccount } from '../accounts'
import { test } from '../test'
import { viewports } from './viewports'

async function expectWellMade(page: Page) {
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await expectLabelsFit(page)
}

test.for(viewports)('two-step sign-in is turned on, asked for and turned off, at $width px', async ({ width, colorScheme }, { visit }) => {
  const person = await newAccount()
  const page = await visit('/profile', { as: person, width, colorScheme })
  await page.getByRole('button', { name: 'Manage two-step sign-in' }).click()
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  const secret = /^[A-Z2-7]{32}$/
  const key = (await page.getByText(secret).textContent()) ?? ''
  await expectWellMade(page)
  const code = page.getByLabel('Code from your authenticator app')
  await code.fill('000000')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('The code is wrong.').waitFor()
  await code.fill(appCode(key))
  await page.getByRole('button', { name: 'Turn on' }).click()
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect.poll(() => codes.count()).toBe(10)
  const recovery = (await codes.first().textContent()) ?? ''
  await expectWellMade(page)
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByText('Two-step sign-in is on. 10 recovery codes are left.').waitFor()
  await expect.poll(() => mailsTo(person.email).some((mail) => mail.includes('Two-step sign-in is on'))).toBe(true)

  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL('**/login')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.getByRole('heading', { name: 'Enter the code' }).waitFor()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await expectWellMade(page)
  // The code that turned it on is used up; the next one is good a little ahead of its time.
  await code.fill(appCode(key, 1))
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/')

  await page.goto('/profile')
  await page.getByRole('button', { name: 'Manage two-step sign-in' }).click()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await code.fill(recovery)
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('Two-step sign-in is off. Turn it on').waitFor()
})
