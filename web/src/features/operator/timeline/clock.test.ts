import { expect, it } from 'vitest'

import { advance, followArrivals, neighbour } from './clock'

const events = [0, 1_000, 1_000, 30_000, 3_600_000].map((at) => ({ at }))

it.each([1, 2, 5, 10, 100])('goes %i times as fast as time', (speed) => {
  expect(advance({ t: 1_000, quiet: 0 }, 16, speed, events)).toEqual({ t: 1_000 + 16 * speed, quiet: 16 })
})

it('restarts its wait at each event', () => {
  expect(advance({ t: 900, quiet: 300 }, 150, 1, events)).toEqual({ t: 1_050, quiet: 0 })
})

it('waits for nothing longer than five seconds', () => {
  let state = { t: 30_000, quiet: 0 }
  let watched = 0
  while (state.t < 3_600_000) {
    state = advance(state, 20, 1, events)
    watched += 20
  }
  expect(watched).toBe(5_000)
})

it('ends at the last event, however far it would go', () => {
  expect(advance({ t: 3_599_999, quiet: 0 }, 1_000, 100, events)).toEqual({ t: 3_600_000, quiet: 0 })
  expect(advance({ t: 3_600_000, quiet: 0 }, 1_000, 1, events)).toEqual({ t: 3_600_000, quiet: 0 })
  expect(advance({ t: 5, quiet: 0 }, 1_000, 1, [])).toEqual({ t: 5, quiet: 0 })
})

it('finds the events beside a moment', () => {
  expect([neighbour(events, 500, 1), neighbour(events, 500, -1)]).toEqual([1_000, 0])
  expect([neighbour(events, 1_000, 1), neighbour(events, 1_000, -1)]).toEqual([30_000, 0])
  expect([neighbour(events, 3_600_000, 1), neighbour(events, 0, -1)]).toEqual([3_600_000, 0])
})

it('follows what comes in evenly, never more than a second of watching behind, and never back', () => {
  expect(followArrivals(0, 16, 10, 5_000)).toBe(160)
  expect(followArrivals(4_900, 16, 10, 5_000)).toBe(5_000)
  expect(followArrivals(0, 16, 10, 3_600_000)).toBe(3_590_000)
  expect(followArrivals(6_000, 16, 10, 5_000)).toBe(6_000)
})
