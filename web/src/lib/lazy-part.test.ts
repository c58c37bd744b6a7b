import { afterEach, expect, it, vi } from 'vitest'

import { fetchCode } from './lazy-part'

const setOnline = (isOnline: boolean) => { Object.defineProperty(navigator, 'onLine', { configurable: true, value: isOnline }) }

afterEach(() => {
  setOnline(true)
  vi.useRealTimers()
})

it('waits for the network, and fetches then', async () => {
  setOnline(false)
  const load = vi.fn(() => Promise.resolve('code'))
  const fetched = fetchCode(load)
  await Promise.resolve()
  expect(load).not.toHaveBeenCalled()
  setOnline(true)
  window.dispatchEvent(new Event('online'))
  expect(await fetched).toBe('code')
})

it('fetches again what failed as the network went, however often', async () => {
  vi.useFakeTimers()
  let failures = 0
  const load = vi.fn(() => {
    failures += 1
    setOnline(false)
    return failures > 5 ? Promise.resolve('code') : Promise.reject(new Error('no network'))
  })
  const fetched = fetchCode(load)
  for (let round = 0; round < 6; round += 1) {
    await vi.advanceTimersByTimeAsync(1_000)
    setOnline(true)
    window.dispatchEvent(new Event('online'))
  }
  expect(await fetched).toBe('code')
  expect(load).toHaveBeenCalledTimes(6)
})

it('gives up what is gone, after three tries', async () => {
  vi.useFakeTimers()
  const load = vi.fn(() => Promise.reject(new Error('gone')))
  const fetched = fetchCode(load).catch(String)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await fetched).toContain('gone')
  expect(load).toHaveBeenCalledTimes(3)
})
