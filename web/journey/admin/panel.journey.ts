import { expect } from 'vitest'

import { expectAccessible } from '../axe'
import { expectNoHorizontalScroll, headingLeft } from '../layout'
import { demo, newAccount } from '../accounts'
import { call } from '../platform'
import { seen } from '../spec/seen'
import { test } from '../test'

/** Every page of the panel, and what its heading says. */
const PAGES = {
  '/admin/': 'Dashboard',
  '/admin/booking': 'Order Management',
  '/admin/item': 'Collection Management',
  '/admin/package': 'Restaurants',
  '/admin/user': 'User Management',
  '/admin/review': 'Review Management',
  '/admin/inquiry': 'Admin Inquiries',
  '/admin/payment': 'All Payment Records',
  '/admin/events': 'Streams',
  '/admin/events/search': 'Events',
  '/admin/events/timeline': 'Timeline',
  '/admin/events/replays': 'Replays',
  '/admin/events/models': 'Read models',
  '/admin/events/dead': 'Dead letters',
  '/admin/events/operations': 'Operations',
  '/admin/profile': 'Profile',
}

test('a guest is asked to sign in', async ({ visit }) => {
  const page = await visit('/')
  await seen(page, 'admin area', { route: 'all' })
})

test('the first Tab skips the sidebar', async ({ visit }) => {
  const page = await visit('/admin/review', { as: demo.admin })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Tab')
  await page.getByRole('link', { name: 'Skip to content' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
})

test('an administrator signs in, goes everywhere by the sidebar, and logs out', async ({ visit }) => {
  const page = await visit('/login')
  await page.getByLabel('Email').fill(demo.admin.email)
  await page.getByLabel('Password', { exact: true }).fill(demo.admin.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('**/admin/')
  await seen(page, 'admin area', { link: 'all', button: 'all' })
  const sidebar = page.getByRole('navigation')
  await sidebar.getByRole('link', { name: 'Restaurant', exact: true }).click()
  await page.waitForURL('**/admin/package')
  await sidebar.getByRole('link', { name: 'Orders' }).click()
  await page.waitForURL('**/admin/booking')
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL('**/login')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('the wrong role is sent where it belongs, and the services refuse it', async ({ visit }) => {
  for (const [role, home] of [['customer', '/'], ['restaurant', '/restaurantC/'], ['delivery', '/driver/']] as const) {
    const person = await newAccount(role)
    const page = await visit('/admin/user', { as: person })
    await page.waitForURL(({ pathname }) => (home === '/' ? pathname === home : pathname.startsWith(home)))
    await expect(call('GET', '/api/v1/users', { token: person.token })).rejects.toThrow('403')
    await expect(call('PUT', `/api/v1/users/block/${person.email}`, { token: person.token, body: {} })).rejects.toThrow('403')
  }
})

test('the profile is the administrator’s own', async ({ visit }) => {
  const page = await visit('/admin/profile', { as: demo.admin })
  await seen(page, 'admin profile', { route: 'all' })
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(demo.admin.email)
  await expect.poll(() => page.getByLabel('Email').isEditable()).toBe(false)
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await page.getByText('Profile updated!').waitFor()
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test(`every page is accessible at ${String(width)} px, ${colorScheme}`, async ({ visit }) => {
      const page = await visit('/admin/', { as: demo.admin, width, colorScheme })
      const lefts = new Set<number>()
      for (const [path, heading] of Object.entries(PAGES)) {
        await page.goto(path)
        await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
        await expect.poll(async () => await page.locator('[role=status]', { hasText: /Loading/ }).count()).toBe(0)
        await expectAccessible(page)
        await expectNoHorizontalScroll(page)
        lefts.add(await headingLeft(page))
      }
      expect(lefts.size, 'headings begin at one place').toBe(1)
    })
  }
}
