import type { Page } from 'playwright-core'
import * as v from 'valibot'
import { expect } from 'vitest'

import { demo, login, newAccount } from '../accounts'
import { call, restaurantSchema } from '../platform'
import { newOrders, newRestaurantWithItem } from '../restaurants'
import { seen } from '../spec/seen'
import { refuseCall, test } from '../test'

test('an account is blocked with a reason and unblocked with a press', async ({ visit }) => {
  const person = await newAccount('customer', { firstName: 'Amal', lastName: 'Bandara' })
  const page = await visit(`/admin/user?q=${person.email}`, { as: demo.admin })
  await seen(page, 'admin users', { route: 'all', column: 'all' })
  const row = page.getByRole('row', { name: person.email })
  for (const text of ['Customer', 'Amal', 'Bandara', '12 Galle Face, Colombo', '0771234567']) await row.getByText(text, { exact: true }).waitFor()
  await seen(row, 'admin users', { button: ['ACTIVE'] })

  await row.getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('No order of theirs is under way.').waitFor()
  await dialog.getByRole('button', { name: "Don't block" }).click()
  await row.getByRole('button', { name: 'ACTIVE' }).click()
  await chooseReason(page, 'Fraud')
  await seen(row, 'admin users', { button: ['BLOCKED'] })
  await row.getByText('Fraud').waitFor()
  await expect.poll(async () => await login(person).catch(String)).toContain('User is blocked')
  await row.getByRole('button', { name: 'BLOCKED' }).click()
  await row.getByRole('button', { name: 'ACTIVE' }).waitFor()
  await expect.poll(async () => (await login(person).catch(() => null))?.id).toBe(person.id)
})

test('a blocked owner is announced with what closes, which unblocking opens again', async ({ visit }) => {
  const { owner, restaurant, item } = await newRestaurantWithItem()
  await newOrders(await newAccount(), [item._id])
  const page = await visit(`/admin/user?q=${owner.email}`, { as: demo.admin })
  const row = page.getByRole('row', { name: owner.email })
  const isOpen = async () => v.parse(restaurantSchema, await call('GET', `/api/v1/restaurant/getOne/${restaurant._id}`)).isOpen
  await row.getByRole('button', { name: 'ACTIVE' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Their open restaurant closes. Unblocking opens it again.').waitFor()
  await dialog.getByText('One order of theirs is under way and goes on.').waitFor()
  // By the keyboard alone.
  await dialog.getByRole('combobox', { name: 'Reason' }).selectOption('Danger to others')
  await page.keyboard.press('Control+Enter')
  await row.getByRole('button', { name: 'BLOCKED' }).waitFor()
  await expect.poll(isOpen).toBe(false)
  await row.getByRole('button', { name: 'BLOCKED' }).click()
  await row.getByRole('button', { name: 'ACTIVE' }).waitFor()
  await expect.poll(isOpen).toBe(true)
})

test('what the service refuses is taken back', async ({ visit }) => {
  const person = await newAccount()
  const page = await visit(`/admin/user?q=${person.email}`, { as: demo.admin })
  const row = page.getByRole('row', { name: person.email })
  await row.getByRole('button', { name: 'ACTIVE' }).waitFor()
  // The answer takes its time: the press is shown before it.
  let answer: () => void = () => undefined
  const held = new Promise<void>((resolve) => { answer = resolve })
  await page.route('**/api/v1/users/block/**', async (route) => {
    await held
    await route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{}' })
  })
  await row.getByRole('button').click()
  await chooseReason(page, 'Another reason')
  await row.getByRole('button', { name: 'BLOCKED' }).waitFor()
  answer()
  await row.getByRole('button', { name: 'ACTIVE' }).waitFor()
})

test('a new account appears in the list live, and on cards where there is no room', async ({ visit }) => {
  const page = await visit('/admin/user', { as: demo.admin, width: 390 })
  await page.getByRole('article').first().waitFor()
  const person = await newAccount('restaurant')
  const card = page.getByRole('article', { name: person.email })
  await card.waitFor()
  await card.getByText('Restaurant', { exact: true }).waitFor()
})

test('a list that can not be had can be asked for again', async ({ visit }) => {
  const page = await visit('/admin/', { as: demo.admin })
  const allow = await refuseCall(page, 'GET', '/api/v1/users?**', { status: 403, message: 'Not now.' }, true)
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('alert').getByText('Not now.').waitFor()
  allow()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('row').nth(1).waitFor()
})

/** Answers the question of a block. */
async function chooseReason(page: Page, reason: string) {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Reason' }).selectOption(reason)
  await dialog.getByRole('button', { name: 'Block', exact: true }).click()
}
