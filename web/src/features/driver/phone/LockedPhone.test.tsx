import { platform, problem } from '@test/platform'
import { show, signIn } from '@test/render'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'

import { LockedPhone } from './LockedPhone'

const server = platform()
const PATH = '*/api/v1/delivery/phone'
const TOKEN = 'a-token-of-the-drivers-own'
const MADE = { madeAt: '2026-11-26T09:00:00Z', usedAt: null, outcome: null }

function tokenIs(token: object | null) {
  server.use(http.get(PATH, () => HttpResponse.json({ token })))
}

function open() {
  signIn({ role: 'delivery' })
  show(<LockedPhone />, '/driver/available')
}

describe('the phone of a driver', () => {
  it('gets a token, which is shown until the driver is done', async () => {
    tokenIs(null)
    server.use(
      http.post(PATH, () => {
        tokenIs(MADE)
        return HttpResponse.json({ token: TOKEN }, { status: 201 })
      }),
    )
    // Its set-up puts a clipboard into the browser's double.
    const user = userEvent.setup()
    open()
    expect(await screen.findByText('No phone has a token yet.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Make a token' }))
    expect(await screen.findByText(TOKEN)).toBeVisible()
    expect(await screen.findByRole('img', { name: 'QR code with the settings for Traccar Client' })).toBeVisible()
    await user.click(screen.getByText('OwnTracks', { selector: 'label *, label' }))
    expect(await screen.findByRole('img', { name: 'QR code with the settings for OwnTracks' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Set up OwnTracks on this phone' })).toHaveAttribute('href', expect.stringContaining('owntracks:///config?inline='))
    await user.click(screen.getByRole('button', { name: 'Copy Password' }))
    expect(await navigator.clipboard.readText()).toBe(TOKEN)
    await user.click(screen.getByRole('button', { name: 'I have set up my phone' }))
    await waitFor(() => {
      expect(screen.queryByText(TOKEN)).toBeNull()
    })
    expect(screen.getByText(/^Made on .*Not used yet\.$/)).toBeVisible()
  })

  it('shows when it was used and why its last place was not', async () => {
    tokenIs({ ...MADE, usedAt: new Date().toISOString(), outcome: 'ahead' })
    open()
    expect(await screen.findByText(/Last used: just now\..*clock is ahead/i)).toBeVisible()
  })

  it('loses its token once the driver has confirmed that', async () => {
    tokenIs(MADE)
    let revoked = 0
    server.use(
      http.delete(PATH, () => {
        revoked += 1
        tokenIs(null)
        return HttpResponse.json({ token: null })
      }),
    )
    open()
    const revoke = await screen.findByRole('button', { name: 'Revoke token' })
    await userEvent.click(revoke)
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(revoked).toBe(0)
    await userEvent.click(revoke)
    await userEvent.click(await screen.findByRole('button', { name: 'Yes, revoke it' }))
    expect(await screen.findByText('No phone has a token yet.')).toBeVisible()
    expect(revoked).toBe(1)
  })

  it('keeps its token if the driver does not want another after all', async () => {
    tokenIs(MADE)
    open()
    await userEvent.click(await screen.findByRole('button', { name: 'Make another token' }))
    expect(await screen.findByText(/can't send any more until you set it up again/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.getByText(/^Made on/)).toBeVisible()
  })

  it('can be asked for again after a failure', async () => {
    server.use(http.get(PATH, () => problem(503, 'Not now.')))
    open()
    expect(await screen.findByRole('alert')).toHaveTextContent('Not now.')
    tokenIs(null)
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('No phone has a token yet.')).toBeVisible()
  })

  it('says why no token was made', async () => {
    tokenIs(null)
    server.use(http.post(PATH, () => problem(429, 'Too many requests. Please try again later.')))
    open()
    await userEvent.click(await screen.findByRole('button', { name: 'Make a token' }))
    expect(await screen.findByText('Too many requests. Please try again later.')).toBeVisible()
  })
})
