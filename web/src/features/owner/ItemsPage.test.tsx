import { item, list, platform, problem, restaurant } from '@test/platform'
import { show, signIn } from '@test/render'
import { notifications } from '@mantine/notifications'
import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ItemsPage } from './ItemsPage'

const server = platform()

beforeEach(() => {
  signIn({ role: 'restaurant' })
  server.use(
    http.get('*/api/v1/restaurant/getOne/:id', () => HttpResponse.json(restaurant())),
    list('collection/getAll/:id', [item()]),
  )
})
afterEach(() => {
  notifications.clean()
})

const open = async () => {
  show(<ItemsPage />, '/restaurantC/restaurant/collection?restaurantId=r1')
  return screen.findByRole('switch', { name: 'Available: Chicken Kottu' })
}

describe("the owner's items", () => {
  it('are out of stock before the click is over, whenever the answer comes', async () => {
    server.use(http.put('*/api/v1/collection/update/:id', () => new Promise<never>(() => {})))
    const available = await open()
    available.click()
    // Not one timer or answer gets its turn here.
    for (let turn = 0; turn < 100; turn += 1) await Promise.resolve()
    expect(available).not.toBeChecked()
    expect(screen.getByText('Out of Stock')).toBeInTheDocument()
  })

  it('are in stock again where the service refuses, which says why', async () => {
    server.use(http.put('*/api/v1/collection/update/:id', () => problem(503, 'The kitchen is away.')))
    const available = await open()
    available.click()
    expect(await screen.findByText('The kitchen is away.')).toBeInTheDocument()
    await waitFor(() => {
      expect(available).toBeChecked()
    })
  })
  it('are deleted after a question that names the dish', async () => {
    await open()
    screen.getByRole('button', { name: 'Delete: Chicken Kottu' }).click()
    const question = await screen.findByRole('alertdialog', { name: 'Are you sure you want to delete? Chicken Kottu' })
    expect(within(question).getByText('Are you sure you want to delete?')).toBeVisible()
    expect(within(question).getByText('Chicken Kottu')).toBeVisible()
  })
})
