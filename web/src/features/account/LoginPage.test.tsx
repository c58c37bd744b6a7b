import { show } from '@test/render'
import { act, screen } from '@testing-library/react'
import { expect, it } from 'vitest'

import { paths } from '@/lib/paths'
import { session } from '@/lib/session'

import { LoginPage } from './LoginPage'

const OVER = 'Your session has ended. Please log in again.'

/** The login as a guarded page leads to it. */
async function visit(wasSignedIn: boolean, isBlocked = false) {
  session.end(isBlocked)
  const router = show(<LoginPage />, paths.login())
  await act(() => router.navigate(paths.login(), { state: { from: paths.owner.orders(), wasSignedIn } }))
}

it('says that a session ended on the page that was open', async () => {
  await visit(true)
  expect(screen.getByText(OVER)).toBeVisible()
  expect(screen.queryByText('Welcome back.')).toBeNull()
})

it('says that the account of the page that was open was blocked', async () => {
  await visit(true, true)
  expect(screen.getByText('Your account was blocked. Please contact us.')).toBeVisible()
  expect(screen.queryByText(OVER)).toBeNull()
})

it('welcomes a user who was not signed in', async () => {
  await visit(false)
  expect(screen.getByText('Welcome back.')).toBeVisible()
  expect(screen.queryByText(OVER)).toBeNull()
})
