import { platform, problem } from '@test/platform'
import { show, signIn } from '@test/render'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'

import * as files from '@/lib/download-file'

import { YourData } from './YourData'

const server = platform()
const NONE = { state: 'none', requestedAt: null, size: null, expiresAt: null, missing: null }
const UNDER_WAY = { ...NONE, state: 'underWay', requestedAt: '2026-11-25T09:00:00Z' }
const READY = { ...UNDER_WAY, state: 'ready', size: 1_234_567, expiresAt: '2026-12-02T09:00:00Z' }

function copyIs(state: object) {
  server.use(http.get('*/api/v1/users/copy', () => HttpResponse.json(state)))
}

describe('the copy of a user', () => {
  it('is asked for in the language of the page, and is being made then', async () => {
    copyIs(NONE)
    const asked: unknown[] = []
    server.use(
      http.post('*/api/v1/users/copy', async ({ request }) => {
        asked.push(await request.json())
        copyIs(UNDER_WAY)
        return HttpResponse.json(UNDER_WAY, { status: 202 })
      }),
    )
    signIn()
    show(<YourData />, '/profile')
    await userEvent.click(await screen.findByRole('button', { name: 'Request a copy' }))
    expect(await screen.findByText(/Your copy is being made/)).toBeVisible()
    expect(asked).toEqual([{ language: 'en' }])
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('is downloaded once it is ready, with its size and day', async () => {
    copyIs(READY)
    server.use(
      http.get('*/api/v1/users/copy/download', () =>
        HttpResponse.arrayBuffer(new TextEncoder().encode('PK').buffer, { headers: { 'content-type': 'application/zip' } }),
      ),
    )
    const saved = vi.spyOn(files, 'downloadFile').mockImplementation(() => undefined)
    signIn()
    show(<YourData />, '/profile')
    expect(await screen.findByText('Your copy is ready (1.2 MB). You can download it until Dec 2, 2026.')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Download copy' }))
    await waitFor(() => {
      expect(saved).toHaveBeenCalledOnce()
    })
    expect(saved.mock.calls[0]).toEqual(['tiffin-copy.zip', expect.objectContaining({ size: 2 })])
    saved.mockRestore()
  })

  it('says which service did not answer, and can be asked for again', async () => {
    copyIs({ ...UNDER_WAY, state: 'failed', missing: 'payment' })
    server.use(http.post('*/api/v1/users/copy', () => problem(429, 'Too many requests.')))
    signIn()
    show(<YourData />, '/profile')
    expect(await screen.findByText(/a part of Tiffin did not answer: payment/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Request a new copy' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Too many requests.')
  })

  it('says that its state could not be read', async () => {
    server.use(http.get('*/api/v1/users/copy', () => problem(503, 'Please try again.')))
    signIn()
    show(<YourData />, '/profile')
    expect(await screen.findByText('Please try again.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
  })
})
