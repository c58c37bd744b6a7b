import { platform } from '@test/platform'
import { show, signIn } from '@test/render'
import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'

import { Routes } from './router'

const server = platform()

function visit(at: string) {
  // The pages' own requests do not matter here.
  server.use(http.all('*/api/v1/*', () => HttpResponse.json([])))
  return show(<Routes />, at, '/*')
}

describe("the administrators' panel", () => {
  it('leads operators to the event history', async () => {
    signIn({ role: 'admin', isOperator: true })
    visit('/admin/profile')
    expect(await screen.findByRole('link', { name: 'Events' })).toBeVisible()
  })

  it('shows other administrators none of it', async () => {
    signIn({ role: 'admin', isOperator: false })
    const router = visit('/admin/events/dead')
    expect(await screen.findByRole('link', { name: 'Dashboard' })).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Events' })).toBeNull()
    expect(router.state.location.pathname).toBe('/admin/')
  })

  it('shows operators who are no administrators nothing else', async () => {
    signIn({ role: 'operator', isOperator: true })
    const router = visit('/admin/user')
    expect(await screen.findByRole('link', { name: 'Events' })).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Users' })).toBeNull()
    expect(router.state.location.pathname).toBe('/admin/events')
  })
})

it('leads owners in the order of the specification, and then to what came later', async () => {
  signIn({ role: 'restaurant' })
  visit('/restaurantC/profile')
  await screen.findByRole('link', { name: 'Restaurant Order' })
  const links = within(screen.getByRole('navigation')).getAllByRole('link')
  expect(links.map(({ textContent }) => textContent)).toEqual(['Restaurant Order', 'Restaurant', 'Profile', 'Reviews', 'Figures'])
})
