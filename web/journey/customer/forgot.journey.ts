import type { Page } from 'playwright-core'
import { expect } from 'vitest'

import { expectAccessible } from '../axe'
import { expectNoHorizontalScroll, expectLabelsFit } from '../layout'
import { linkMailedTo, mailsTo, newAccount } from '../accounts'
import { refuseCall, test } from '../test'
import { viewports } from './viewports'

const NEW = 'Better@2027'

async function expectWellMade(page: Page) {
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await expectLabelsFit(page)
}

test.for(viewports)('a forgotten password is set by mail, at $width px', async ({ width, colorScheme }, { visit }) => {
  // The mail proves the address, too.
  const person = await newAccount('customer', { verified: false })
  const page = await visit('/login', { width, colorScheme })
  await page.getByLabel('Email').fill(person.email)
  // By the keyboard alone from here to the mail.
  await page.getByRole('link', { name: 'Forgot your password?' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Forgot your password?' }).waitFor()
  await expectWellMade(page)
  const email = page.getByLabel('Email')
  await expect.poll(() => email.inputValue()).toBe(person.email)
  await refuseCall(page, 'POST', '/api/v1/users/password/forgot', { status: 503 })
  await email.press('Enter')
  await page.getByText('The service cannot be reached. Please try again.').waitFor()
  await email.press('Enter')
  await page.getByText('If there is an account with this email address, we have sent it a link.').waitFor()
  await expectWellMade(page)

  const link = await linkMailedTo(person.email)
  await page.goto(link)
  await page.getByRole('heading', { level: 1, name: 'Set a new password' }).waitFor()
  // The token is gone from the address.
  await expect.poll(() => new URL(page.url()).hash).toBe('')
  await expectWellMade(page)
  const password = page.getByLabel('New password')
  await password.fill('short')
  await password.press('Enter')
  await page.locator('[id$="-error"]').getByText('Password must be at least 8 characters long').waitFor()
  await password.fill(NEW)
  await password.press('Enter')
  await page.getByText('Password changed').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Login' }).waitFor()
  await expect.poll(() => mailsTo(person.email).some((mail) => mail.includes('Your Tiffin password was changed'))).toBe(true)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(NEW)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/')

  // The link is used up, and leads to another one.
  await page.goto(link)
  await page.getByLabel('New password').fill('Other@2028')
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByText('This link is no longer valid. Please ask for a new one.').waitFor()
  await expectWellMade(page)
  await page.getByRole('link', { name: 'Ask for a new link' }).click()
  await page.getByRole('heading', { level: 1, name: 'Forgot your password?' }).waitFor()
})

test('a link without its token says so', async ({ visit }) => {
  const page = await visit('/reset-password', { width: 390 })
  await page.getByText('This link is incomplete.').waitFor()
  await expectWellMade(page)
})

test('who forgot a password is spoken to in their language', async ({ visit }) => {
  const person = await newAccount()
  for (const [language, title] of [['si', 'මුරපදය අමතකද?'], ['ta', 'கடவுச்சொல் மறந்துவிட்டதா?']] as const) {
    const page = await visit('/forgot-password', { language, width: 390 })
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await expectWellMade(page)
    await page.locator('input[type=email]').fill(person.email)
    await page.locator('button[type=submit]').click()
    await page.getByRole('status').filter({ hasText: '30' }).waitFor()
    await expectWellMade(page)
  }
})
