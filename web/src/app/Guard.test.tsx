import { show, signIn } from '@test/render'
import { act, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { session } from '@/lib/session'

import { Guard } from './Guard'

function visit(at: string) {
  return show(
    <Guard role="restaurant">
      <p>the panel</p>
    </Guard>,
    at,
  )
}

describe('a guarded page', () => {
  it('asks a stranger to sign in, and remembers the way', () => {
    const router = visit('/restaurantC/booking')
    expect(router.state.location.pathname).toBe('/login')
    expect(router.state.location.state).toEqual({ from: '/restaurantC/booking', wasSignedIn: false })
  })

  it('remembers that a session ended on it', () => {
    signIn({ role: 'restaurant' })
    const router = visit('/restaurantC/booking')
    act(() => { session.end() })
    expect(router.state.location.pathname).toBe('/login')
    expect(router.state.location.state).toEqual({ from: '/restaurantC/booking', wasSignedIn: true })
  })

  it('lets its role pass', () => {
    signIn({ role: 'restaurant' })
    visit('/restaurantC/booking')
    expect(screen.getByText('the panel')).toBeVisible()
  })

  it.each([
    ['customer', '/'],
    ['delivery', '/driver/'],
    ['admin', '/admin/'],
    ['operator', '/admin/events'],
  ])('sends a %s to %s', (role, home) => {
    signIn({ role })
    expect(visit('/restaurantC/booking').state.location.pathname).toBe(home)
  })

  it('sends users who have to turn on two-step sign-in there first', () => {
    signIn({ role: 'restaurant', mustEnrol: true })
    expect(visit('/restaurantC/booking').state.location.pathname).toBe('/two-step')
  })

  it('sends users without a verified address to the verification', () => {
    signIn({ role: 'restaurant', emailVerified: false })
    expect(visit('/restaurantC/booking').state.location.pathname).toBe('/verify-email')
  })
})
