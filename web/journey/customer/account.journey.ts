import { expect } from 'vitest'

import { expectAccessible } from '../axe'
import { expectNoHorizontalScroll } from '../layout'
import { codeMailedTo, demo, login, newEmail, newAccount } from '../accounts'
import { picture } from '../picture'
import { call } from '../platform'
import { seen } from '../spec/seen'
import { holdScripts, refuseCall, test } from '../test'
import { viewports } from './viewports'

const PASSWORD = 'Tiffin@2026'

test.for(viewports)('from the registration to the first login, at $width px', async ({ width, colorScheme }, { visit }) => {
  const email = newEmail()
  const page = await visit('/register', { width, colorScheme })
  await seen(page, 'routes', { route: ['/register'] })
  await page.getByRole('button', { name: 'Register' }).click()
  await seen(page, 'register', { text: ['Please upload profile picture'] })
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)

  await refuseCall(page, 'POST', '/storage/**', { status: 503 })
  const file = page.locator('input[type=file]')
  await file.setInputFiles(picture)
  await seen(page, 'register', { text: ['Image upload failed.'] })
  await seen(page, 'upload', { text: ['Error uploading file'] })
  await file.setInputFiles([])
  await seen(page, 'upload', { text: ['no file selected'] })
  await file.setInputFiles(picture)
  await seen(page, 'register', { text: ['Image uploaded successfully!'] })

  await page.getByLabel('First name').pressSequentially('N1im9ali')
  await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Nimali')
  await page.getByLabel('Last name').fill('Perera')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByLabel('Address').fill('12 Galle Face')
  await page.getByLabel('Phone').fill('0771234567')
  await page.getByRole('button', { name: 'Register' }).click()
  await seen(page, 'register', {
    text: ['Password must be at least 8 characters long and include at least one uppercase letter and one symbol.'],
  })
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await refuseCall(page, 'POST', '/api/v1/users', { status: 409 })
  await page.getByRole('button', { name: 'Register' }).click()
  await seen(page, 'register', { text: ['Email Already Added'] })
  await page.getByRole('button', { name: 'Register' }).click()
  await seen(page, 'register', { text: ['Registration Successfully'] })
  await seen(page, 'routes', { route: ['/login'] })
  // The form that was left has a field of that name too.
  await page.getByRole('heading', { level: 1, name: 'Login' }).waitFor()

  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await seen(page, 'login', { text: ['Please verify your email first'] })
  await seen(page, 'routes', { route: ['/verify-email'] })
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByRole('button', { name: /^Send again in \d+ s$/ }).waitFor()
  const code = await codeMailedTo(email)
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  // All six digits, pasted into the first box.
  await page.getByLabel('Digit 1 of 6').focus()
  await page.evaluate((text) => {
    const data = new DataTransfer()
    data.setData('text', text)
    data.setData('text/plain', text)
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, code)
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText('Email verified').waitFor()
  await page.waitForURL('**/login')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL((url) => url.pathname === '/')
})

test('everything that can go wrong with a code says so', async ({ visit }) => {
  const page = await visit('/verify-email', { as: await newAccount('customer', { verified: false }) })
  await page.getByRole('button', { name: 'Verify' }).click()
  await seen(page, 'verify email', { text: ['Please enter the OTP.'] })
  await refuseCall(page, 'GET', '/api/v1/users/sendOTP', { status: 503 })
  await page.getByRole('button', { name: 'Send code' }).click()
  await seen(page, 'verify email', { text: ['Failed to send verification email.'] })
  await refuseCall(page, 'GET', '/api/v1/users/sendOTP')
  await page.getByRole('button', { name: 'Send code' }).click()
  await seen(page, 'verify email', { text: ['An error occurred while sending the OTP.'] })
  await page.getByLabel('Digit 1 of 6').focus()
  await page.keyboard.type('123456')
  await refuseCall(page, 'POST', '/api/v1/users/verifyOTP', { status: 422 })
  await page.getByRole('button', { name: 'Verify' }).click()
  await seen(page, 'verify email', { text: ['OTP verification failed.'] })
  await refuseCall(page, 'POST', '/api/v1/users/verifyOTP')
  await page.getByRole('button', { name: 'Verify' }).click()
  await seen(page, 'verify email', { text: ['An error occurred while verifying OTP.'] })
})

test('the success stays until the login is there', async ({ visit }) => {
  const person = await newAccount('customer', { verified: false })
  const page = await visit('/verify-email', { as: person })
  await page.getByRole('button', { name: 'Send code' }).click()
  // The code of toasts is loaded by then, so that only the login's scripts are held.
  await page.locator('.mantine-Notification-root').waitFor()
  await page.getByRole('button', { name: /^Send again in \d+ s$/ }).waitFor()
  await page.getByLabel('Digit 1 of 6').focus()
  await page.keyboard.type(await codeMailedTo(person.email))
  const scripts = await holdScripts(page)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect.poll(scripts.held).toBeGreaterThan(0)
  expect(await page.getByText('Token not found.').count()).toBe(0)
  expect(await page.getByText('Email verified').isVisible()).toBe(true)
  scripts.release()
  await page.getByRole('heading', { level: 1, name: 'Login' }).waitFor()
})

test('without a token there is nothing to verify', async ({ visit }) => {
  const page = await visit('/verify-email')
  await seen(page, 'verify email', { text: ['Token not found. Please login again.'] })
})

test.for(viewports)('the login leads on, and refuses blocked accounts, at $width px', async ({ width, colorScheme }, { visit }) => {
  const person = await newAccount()
  const admin = await login(demo.admin)
  await call('PUT', `/api/v1/users/block/${person.email}`, { token: admin.token, body: { isBlocked: true } })
  const page = await visit('/login', { width, colorScheme })
  await seen(page, 'login', { link: ['/register', '/restaurant-signup', '/driver-signup'] })
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await seen(page, 'login', { text: ['User is blocked'] })
  await expect.poll(() => page.getByRole('button', { name: 'Sign in with Google' }).count()).toBe(0)
})

test.for([
  ['admin', '/admin/'],
  ['owner', '/restaurantC/'],
  ['driver', '/driver/'],
] as const)('%s goes to %s', async ([who, home], { visit }) => {
  const page = await visit('/login')
  await page.getByLabel('Email').fill(demo[who].email)
  await page.getByLabel('Password', { exact: true }).fill(demo[who].password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL(({ pathname }) => pathname.startsWith(home))
})
