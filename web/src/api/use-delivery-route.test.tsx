import { delivery, platform } from '@test/platform'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { PositionSource } from '@/ui/map/position-source'

import type { Delivery, DeliveryRoute, RouteLeg } from './generated/types.gen'
import { useDeliveryRoute } from './use-delivery-route'

const server = platform()
let asked = 0
/** The answer of the service now. */
let answer: DeliveryRoute
let clock = 0

function leg(metres: number, over: Partial<RouteLeg> = {}): RouteLeg {
  return { points: [{ lat: 6.9, lng: 79.85 }, { lat: 6.9, lng: 79.85 + metres / 1e5 }], metres, seconds: 60, basis: 'street', ...over }
}

function drive(first: Partial<Delivery>) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const positions = new PositionSource()
  const { result, rerender } = renderHook((shown: Delivery) => useDeliveryRoute(shown, positions), {
    initialProps: delivery(first),
    wrapper: ({ children }: { children: ReactNode }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>,
  })
  let shown = delivery(first)
  const way = () => [result.current.route?.toRestaurant?.metres, result.current.route?.toDestination?.metres]
  return {
    result,
    way,
    isAsking: () => queries.isFetching() > 0,
    change: (next: Partial<Delivery>) => {
      shown = { ...shown, ...next }
      rerender(shown)
    },
    leave: () => {
      act(() => {
        result.current.onOffRoute()
      })
    },
    see: (at: string) => {
      act(() => {
        positions.push({ lat: 6.93, lng: 79.85, at })
      })
    },
    showing: async (...metres: (number | undefined)[]) => {
      await waitFor(() => {
        expect(way()).toEqual(metres)
      })
    },
  }
}

beforeEach(() => {
  asked = 0
  clock = 0
  answer = { toRestaurant: null, toDestination: leg(2000) }
  vi.spyOn(performance, 'now').mockImplementation(() => clock)
  server.use(
    http.get('*/api/v1/delivery/route/v1', () => {
      asked += 1
      return HttpResponse.json(answer)
    }),
  )
})

afterEach(() => {
  vi.restoreAllMocks()
})

it('asks again when the status or the driver changes, and shows the route before meanwhile', async () => {
  answer = { toRestaurant: leg(500), toDestination: leg(2000) }
  const { way, change, isAsking, showing } = drive({ status: 'picked up' })
  expect(way()).toEqual([undefined, undefined])
  await showing(500, 2000)
  answer = { toRestaurant: null, toDestination: leg(2000) }
  change({ status: 'on the way' })
  expect(way()).toEqual([500, 2000])
  await showing(undefined, 2000)
  answer = { toRestaurant: leg(700), toDestination: leg(2000) }
  change({ status: 'picked up', driverId: 'd2' })
  await showing(700, 2000)
  change({ latestArrival: '2026-11-21T10:31:00Z' })
  expect(isAsking()).toBe(false)
  expect(asked).toBe(3)
})

it('asks for another route where the driver leaves it, at most every ten seconds', async () => {
  const { leave, isAsking, showing } = drive({})
  await showing(undefined, 2000)
  answer = { toRestaurant: null, toDestination: leg(2600) }
  leave()
  await showing(undefined, 2600)
  answer = { toRestaurant: null, toDestination: leg(2700) }
  clock = 9_000
  leave()
  expect(isAsking()).toBe(false)
  clock = 11_000
  leave()
  await showing(undefined, 2700)
  expect(asked).toBe(3)
})

it('counts the progress of the driver for one line of streets only', async () => {
  const { result, change, leave, showing } = drive({})
  await showing(undefined, 2000)
  const before = result.current.routeProgress
  before.push(300)
  change({ latestArrival: '2026-11-21T10:31:00Z' })
  expect(result.current.routeProgress).toBe(before)
  answer = { toRestaurant: null, toDestination: leg(2600) }
  leave()
  await showing(undefined, 2600)
  expect(result.current.routeProgress).not.toBe(before)
  expect(result.current.routeProgress.latest).toBeNull()
})

it('asks for the route to the restaurant once the driver is seen', async () => {
  const { see, isAsking, showing } = drive({ status: 'picked up' })
  await showing(undefined, 2000)
  answer = { toRestaurant: leg(500), toDestination: leg(2000) }
  see('2026-11-21T10:12:00Z')
  await showing(500, 2000)
  clock = 60_000
  see('2026-11-21T10:13:00Z')
  expect(isAsking()).toBe(false)
  expect(asked).toBe(2)
})

it('asks nothing of a delivery that is over', async () => {
  const { change, isAsking, showing } = drive({})
  await showing(undefined, 2000)
  change({ status: 'delivered' })
  expect(isAsking()).toBe(false)
  expect(asked).toBe(1)
})
