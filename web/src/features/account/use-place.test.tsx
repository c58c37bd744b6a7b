import { platform, problem } from '@test/platform'
import { signIn } from '@test/render'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { act, renderHook, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { addressAt } from '@/api/geocode'
import { usePlace } from './use-place'

// The questions are really asked; a test knows when the answers were read.
vi.mock('@/api/geocode', { spy: true })

const server = platform()
const BORELLA = { lat: 6.917, lng: 79.878 }
const FORT = { lat: 6.934, lng: 79.844 }

/** The requests that wait for an answer, by latitude. */
let waiting = new Map<string, () => void>()
let answer = (name: string): Response => HttpResponse.json({ display_name: name })

const geocode = http.get('*/api/v1/geocode/reverse', async ({ request }) => {
  const lat = new URL(request.url).searchParams.get('lat') ?? ''
  await new Promise<void>((resolve) => waiting.set(lat, resolve))
  return answer(`Road at ${lat}`)
})

/** Lets the question about a place be answered, once it was asked, and the answer be read. */
async function letAnswer({ lat }: { lat: number }) {
  await waitFor(() => {
    expect(waiting.has(String(lat))).toBe(true)
  })
  await act(async () => {
    waiting.get(String(lat))?.()
    await Promise.allSettled(vi.mocked(addressAt).mock.results.map(({ value }) => value))
  })
}

function open() {
  const wrapper = ({ children }: { children: ReactNode }) => <I18nProvider i18n={i18n}>{children}</I18nProvider>
  return renderHook(() => usePlace({ address: '12 Galle Face' }), { wrapper }).result
}

beforeEach(() => {
  waiting = new Map()
  answer = (name) => HttpResponse.json({ display_name: name })
  signIn()
  server.use(geocode)
})

describe('the place of a customer', () => {
  it('has the address of where the pin was moved', async () => {
    const result = open()
    expect(result.current.address).toBe('12 Galle Face')
    act(() => { result.current.move(BORELLA) })
    await letAnswer(BORELLA)
    expect(result.current).toMatchObject({ place: BORELLA, address: 'Road at 6.917' })
  })

  it('keeps what was typed while an answer was on its way, until the pin moves again', async () => {
    const result = open()
    act(() => { result.current.move(BORELLA) })
    act(() => { result.current.setAddress('3 Ward Place') })
    await letAnswer(BORELLA)
    expect(result.current).toMatchObject({ place: BORELLA, address: '3 Ward Place' })
    act(() => { result.current.move(FORT) })
    await letAnswer(FORT)
    expect(result.current).toMatchObject({ place: FORT, address: 'Road at 6.934' })
  })

  it('does not complain about an address that was typed meanwhile', async () => {
    answer = () => problem(503, 'Later.')
    const result = open()
    act(() => { result.current.move(BORELLA) })
    act(() => { result.current.setAddress('3 Ward Place') })
    await letAnswer(BORELLA)
    expect(result.current.fault).not.toBe('Failed to fetch location details.')
    act(() => { result.current.move(FORT) })
    await letAnswer(FORT)
    expect(result.current.fault).toBe('Failed to fetch location details.')
  })
})
