import { platform, problem } from '@test/platform'
import { show, signIn, tokenFor } from '@test/render'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'

import { rollBackModel } from '@/api/operator'
import { LoginPage } from '@/features/account/LoginPage'
import { session } from '@/lib/session'

import { ProofPrompt } from './ProofPrompt'
import { TwoStepPage } from './TwoStepPage'

const server = platform()
const WANTED = { reason: 'second_factor_required', challenge: 'c1' }
const STALE = { reason: 'insufficient_user_authentication', maxAge: 300 }

function signedIn(over: Record<string, unknown> = {}, token = tokenFor(900)) {
  const user = { _id: 'u1', id: 'u1', email: 'a@tiffin.local', role: 'customer', firstName: 'A', lastName: 'B', emailVerified: true }
  return { message: 'ok', token, user: { ...user, isOperator: false, mustEnrol: false, ...over } }
}

function state(isOn: boolean, isRequired = false) {
  return http.get('*/api/v1/users/second-factor', () =>
    HttpResponse.json({ isOn, isRequired, recoveryCodesLeft: isOn ? 10 : 0 }),
  )
}

async function signInByForm() {
  const user = userEvent.setup()
  await user.type(screen.getByLabelText('Email'), 'a@tiffin.local')
  await user.type(screen.getByLabelText('Password'), 'Kottu-Roti@9pm')
  await user.click(screen.getByRole('button', { name: 'Login' }))
  return user
}

describe('a sign-in that asks for a code', () => {
  it('shows the second step, shows what is wrong with the code, and signs in', async () => {
    const asked: unknown[] = []
    server.use(
      http.post('*/api/v1/users/login', () => problem(401, 'Please enter the code.', WANTED)),
      http.post('*/api/v1/users/login/second-factor', async ({ request }) => {
        const body = await request.json()
        asked.push(body)
        return asked.length === 1 ? problem(422, 'The code is wrong.', { fields: { code: 'The code is wrong.' } }) : HttpResponse.json(signedIn())
      }),
    )
    session.end()
    const router = show(<LoginPage />, '/login')
    const user = await signInByForm()
    const code = await screen.findByLabelText('Code from your authenticator app')
    expect(session.token()).toBeNull()
    await user.type(code, '000000')
    await user.click(screen.getByRole('button', { name: 'Login' }))
    expect(await screen.findByText('The code is wrong.')).toBeVisible()
    await user.clear(code)
    await user.type(code, '042137{Enter}')
    await waitFor(() => {
      expect(router.state.location.pathname).toBe('/')
    })
    expect(asked).toEqual([
      { challenge: 'c1', code: '000000' },
      { challenge: 'c1', code: '042137' },
    ])
    expect(session.user()?.email).toBe('a@tiffin.local')
  })

  it('says when it is over, and leads back to the password', async () => {
    server.use(
      http.post('*/api/v1/users/login', () => problem(401, 'Please enter the code.', WANTED)),
      http.post('*/api/v1/users/login/second-factor', () => problem(401, 'This sign-in is over.', { reason: 'sign_in_over' })),
    )
    session.end()
    show(<LoginPage />, '/login')
    const user = await signInByForm()
    await user.type(await screen.findByLabelText('Code from your authenticator app'), '042137{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent('This sign-in is over.')
    await user.click(screen.getByRole('button', { name: 'Back to password' }))
    expect(await screen.findByLabelText('Password')).toBeVisible()
  })

  it('leads administrators without one to turning it on', async () => {
    server.use(http.post('*/api/v1/users/login', () => HttpResponse.json(signedIn({ role: 'admin', mustEnrol: true }))))
    session.end()
    const router = show(<LoginPage />, '/login')
    await signInByForm()
    await waitFor(() => {
      expect(router.state.location.pathname).toBe('/two-step')
    })
  })
})

describe('turning it on', () => {
  const qr = { size: 33, path: 'M4 4h1v1h-1z' }

  it('shows what the app needs, takes its first code and shows the recovery codes once', async () => {
    let isOn = false
    server.use(
      http.get('*/api/v1/users/second-factor', () => HttpResponse.json({ isOn, isRequired: true, recoveryCodesLeft: 0 })),
      http.post('*/api/v1/users/second-factor', () => HttpResponse.json({ address: 'otpauth://totp/x', secret: 'ABCD2345', qr })),
      http.post('*/api/v1/users/second-factor/on', () => {
        isOn = true
        return HttpResponse.json({ ...signedIn({ role: 'admin', isOperator: true }), recoveryCodes: ['0abcd-efghj'] })
      }),
    )
    signIn({ role: 'admin', mustEnrol: true })
    const router = show(<TwoStepPage />, '/two-step')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Turn on' }))
    expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
    expect(screen.getByText('ABCD2345')).toBeVisible()
    await user.type(screen.getByLabelText('Code from your authenticator app'), '042137{Enter}')
    const codes = await screen.findByRole('list', { name: 'Recovery codes' })
    expect(within(codes).getByText('0abcd-efghj')).toBeVisible()
    expect(session.user()).toMatchObject({ mustEnrol: false, isOperator: true })
    await user.click(screen.getByRole('button', { name: 'I have saved them' }))
    await waitFor(() => {
      expect(router.state.location.pathname).toBe('/admin/')
    })
  })

  it('says what is wrong when it is turned off', async () => {
    server.use(
      state(true),
      http.post('*/api/v1/users/second-factor/off', () => problem(422, 'The password is wrong.', { fields: { password: 'The password is wrong.' } })),
    )
    signIn()
    show(<TwoStepPage />, '/two-step')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Turn off' }))
    await user.type(screen.getByLabelText('Password'), 'x')
    await user.type(screen.getByLabelText('Code from your authenticator app'), '042137{Enter}')
    expect(await screen.findByText('The password is wrong.')).toBeVisible()
  })
})

describe('a call that wants a proof', () => {
  function acting(good: string) {
    return http.post('*/api/v1/operator/projections/*/rollback', ({ request }) =>
      request.headers.get('authorization') === `Bearer ${good}` ? HttpResponse.json({ message: 'It is back.' }) : problem(401, 'Please confirm.', STALE),
    )
  }

  it.each([
    [true, 'Code from your authenticator app', { code: '042137' }],
    [false, 'Password', { password: '042137' }],
  ])('asks for a proof and continues (an app: %s)', async (isOn, label, sent) => {
    const fresh = tokenFor(900)
    const asked: unknown[] = []
    server.use(
      acting(fresh),
      state(isOn),
      http.post('*/api/v1/users/confirm', async ({ request }) => {
        asked.push(await request.json())
        return HttpResponse.json(signedIn({ role: 'admin', isOperator: true }, fresh))
      }),
    )
    signIn({ role: 'admin', isOperator: true })
    show(<ProofPrompt />, '/admin/events')
    // Two calls at once ask once.
    const done = Promise.all([rollBackModel('order_PAYMENTS', 'a test'), rollBackModel('order_ORDERS', 'a test')])
    const field = await screen.findByLabelText(label)
    await userEvent.setup().type(field, '042137{Enter}')
    await expect(done).resolves.toEqual(['It is back.', 'It is back.'])
    expect(asked).toEqual([sent])
    expect(session.token()).toBe(fresh)
  })

  it('is refused without an answer, and the session stays', async () => {
    server.use(acting('none'), state(false))
    signIn({ role: 'admin', isOperator: true })
    show(<ProofPrompt />, '/admin/events')
    const refused = expect(rollBackModel('order_ORDERS', 'a test')).rejects.toMatchObject({ status: 401, message: 'Please confirm.' })
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Cancel' }))
    await refused
    expect(session.user()).not.toBeNull()
  })
})
