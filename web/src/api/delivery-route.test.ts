import { delivery, platform } from '@test/platform'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { deliveryRouteQuery, isStraight } from './delivery-route'
import type { RouteLeg } from './generated/types.gen'

const server = platform()
const MINUTE = 60_000

function leg(basis: RouteLeg['basis']): RouteLeg {
  return { points: [], metres: 1, seconds: 1, basis }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('becomes streets by itself once the router is back', async () => {
  const bases: RouteLeg['basis'][] = ['straight', 'street', 'street']
  let asked = 0
  server.use(
    http.get('*/api/v1/delivery/route/v1', () => {
      const basis = bases[asked] ?? 'street'
      asked += 1
      return HttpResponse.json({ toRestaurant: null, toDestination: leg(basis) })
    }),
  )
  const observer = new QueryObserver(new QueryClient(), deliveryRouteQuery(delivery()))
  const stop = observer.subscribe(() => undefined)
  const basisNow = () => observer.getCurrentResult().data?.toDestination?.basis
  await expect.poll(basisNow).toBe('straight')
  await vi.advanceTimersByTimeAsync(MINUTE - 1_000)
  expect(asked).toBe(1)
  await vi.advanceTimersByTimeAsync(2_000)
  await expect.poll(basisNow).toBe('street')
  await vi.advanceTimersByTimeAsync(3 * MINUTE)
  expect(asked).toBe(2)
  stop()
})

it('is straight if a leg is', () => {
  expect(isStraight({ toRestaurant: leg('straight'), toDestination: leg('street') })).toBe(true)
  expect(isStraight({ toRestaurant: null, toDestination: leg('street') })).toBe(false)
})
