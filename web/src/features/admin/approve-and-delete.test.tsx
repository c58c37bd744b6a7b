import { item, list, platform } from '@test/platform'
import { show, signIn } from '@test/render'
import { notifications } from '@mantine/notifications'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it } from 'vitest'

import type { Review } from '@/api/generated/types.gen'

import { ItemsPage } from './ItemsPage'
import { ReviewsPage } from './ReviewsPage'

const server = platform()

const review: Review = {
  ...{ _id: 'w1', productId: 'i1', itemName: 'Chicken Kottu', restaurantName: 'Lotus Kitchen', rating: 4 },
  ...{ name: 'Nimali', email: 'customer@tiffin.local', profilePicture: null, comment: 'Crisp.', isApproved: false },
  ...{ ownerId: 'o1', restaurantId: 'r1', date: '2026-11-21', data: '' },
}

beforeEach(() => {
  signIn({ role: 'admin' })
})
afterEach(() => {
  notifications.clean()
})

/** The buttons in their order, hidden ones too, which keep their room. */
const beside = (press: HTMLElement) => [...(press.parentElement?.children ?? [])].map(({ textContent }) => textContent)

it('leaves the buttons of a dish in their places when it is approved', async () => {
  let approve = false
  server.use(
    list('restaurant', []),
    http.get('*/api/v1/collection', () => HttpResponse.json([item({ approve })])),
    http.post('*/api/v1/collection/isApprove/:id', () => {
      approve = true
      return HttpResponse.json(item({ approve }))
    }),
  )
  show(<ItemsPage />, '/admin/item')
  const press = await screen.findByRole('button', { name: 'Approve Chicken Kottu' })
  expect(beside(press)).toEqual(['Delete', 'Edit', 'Approve'])
  await userEvent.click(press)
  await screen.findByText('Item approved successfully!')
  await expect.poll(() => press.dataset.done).toBe('true')
  expect(press).toBeDisabled()
  expect(beside(press)).toEqual(['Delete', 'Edit', 'Approve'])
})

it('leaves the buttons of a review in their places when it is approved', async () => {
  let isApproved = false
  server.use(
    http.get('*/api/v1/reviews', () => HttpResponse.json([{ ...review, isApproved }])),
    http.put('*/api/v1/reviews/:verb/:id', () => {
      isApproved = true
      return HttpResponse.json({ ...review, isApproved })
    }),
  )
  show(<ReviewsPage />, '/admin/review')
  const press = await screen.findByRole('button', { name: 'Approve the review by Nimali' })
  expect(beside(press)).toEqual(['Delete', 'Approve'])
  await userEvent.click(press)
  await expect.poll(() => press.dataset.done).toBe('true')
  expect(press).toBeDisabled()
  expect(beside(press)).toEqual(['Delete', 'Approve'])
})

it('asks by name before a dish is deleted', async () => {
  server.use(list('restaurant', []), list('collection', [item()]))
  show(<ItemsPage />, '/admin/item')
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Chicken Kottu' }))
  const question = await screen.findByRole('alertdialog', { name: 'Are you sure you want to delete? Chicken Kottu' })
  expect(within(question).getByText('Are you sure you want to delete?')).toBeVisible()
  expect(within(question).getByText('Chicken Kottu')).toBeVisible()
})
