import { platform, problem } from '@test/platform'
import { show } from '@test/render'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'

import { ForgotPasswordPage } from './ForgotPasswordPage'
import { ResetPasswordPage } from './ResetPasswordPage'

const server = platform()
const SENT = 'If there is an account with this email address, we have sent it a link.'
const OVER = 'This link is no longer valid. Please ask for a new one.'
let asked: unknown[] = []

beforeEach(() => {
  asked = []
})

const answering = (path: string, answer: () => Response) =>
  http.post(`*/api/v1/users/password/${path}`, async ({ request }) => {
    asked.push(await request.json())
    return answer()
  })

describe('a forgotten password', () => {
  it('is asked for by mail, once more if need be', async () => {
    server.use(answering('forgot', () => HttpResponse.json({ message: SENT }, { status: 202 })))
    show(<ForgotPasswordPage />, '/forgot-password')
    await userEvent.type(screen.getByLabelText('Email'), 'nimali')
    await userEvent.click(screen.getByRole('button', { name: 'Send the link' }))
    expect(await screen.findByText('Please enter a valid email address.')).toBeVisible()
    expect(asked).toEqual([])
    await userEvent.type(screen.getByLabelText('Email'), '@tiffin.local{Enter}')
    expect(await screen.findByRole('status')).toHaveTextContent(SENT)
    expect(asked).toEqual([{ email: 'nimali@tiffin.local', language: 'en' }])
    server.use(answering('forgot', () => problem(429, 'A new password was asked for too often. Please try again later.')))
    await userEvent.click(screen.getByRole('button', { name: 'Send it again' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('too often')
  })
})

describe('a mailed link', () => {
  const submit = async (password: string) => {
    await userEvent.clear(screen.getByLabelText('New password'))
    await userEvent.type(screen.getByLabelText('New password'), password)
    await userEvent.click(screen.getByRole('button', { name: 'Save password' }))
  }

  it('sets a password by the rule, and its token leaves the address', async () => {
    server.use(answering('reset', () => HttpResponse.json({ message: 'Password changed' })))
    const router = show(<ResetPasswordPage />, '/reset-password#token=abc_-1', '/reset-password')
    await waitFor(() => {
      expect(router.state.location.hash).toBe('')
    })
    expect(window.location.href).not.toContain('abc')
    await submit('short')
    expect(await screen.findByText(/at least 8 characters/)).toBeVisible()
    expect(asked).toEqual([])
    await submit('Tasty!food')
    expect(await screen.findByText('Password changed')).toBeVisible()
    expect(asked).toEqual([{ token: 'abc_-1', password: 'Tasty!food' }])
    expect(router.state.location.pathname).toBe('/login')
  })

  it('that was used leads to another one', async () => {
    server.use(answering('reset', () => problem(422, OVER, { fields: { token: OVER } })))
    show(<ResetPasswordPage />, '/reset-password#token=used', '/reset-password')
    await submit('Tasty!food')
    expect(await screen.findByRole('alert')).toHaveTextContent(OVER)
    expect(screen.getByRole('link', { name: 'Ask for a new link' })).toHaveAttribute('href', '/forgot-password')
  })

  it('that is refused for its password stays', async () => {
    const common = 'This password is too common. Please choose another one.'
    server.use(answering('reset', () => problem(422, common, { fields: { password: common } })))
    show(<ResetPasswordPage />, '/reset-password#token=t', '/reset-password')
    await submit('P@ssw0rd!')
    expect((await screen.findAllByText(common)).length).toBeGreaterThan(0)
    expect(screen.getByRole('button', { name: 'Save password' })).toBeVisible()
  })

  it('without a token says so', () => {
    show(<ResetPasswordPage />, '/reset-password')
    expect(screen.getByRole('alert')).toHaveTextContent('This link is incomplete.')
    expect(screen.getByRole('link', { name: 'Ask for a new link' })).toBeVisible()
  })
})
