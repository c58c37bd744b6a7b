import { describe, expect, it } from 'vitest'

import type { DeliveryEstimate } from '@/api/generated/types.gen'

import { latestArrival } from './latest-arrival'

const estimates = new Map<string, DeliveryEstimate>([
  ['a', { restaurantId: 'a', earliestMinutes: 20, latestMinutes: 50, basis: 'street' }],
  ['b', { restaurantId: 'b', earliestMinutes: 30, latestMinutes: 40, basis: 'straight' }],
])

describe('the arrival of a cart', () => {
  it('is that of its restaurant', () => {
    expect(latestArrival(estimates, ['a'])).toMatchObject({ earliestMinutes: 20, latestMinutes: 50, basis: 'street' })
  })

  it('is that of the last of several', () => {
    expect(latestArrival(estimates, ['a', 'b'])).toEqual({ earliestMinutes: 30, latestMinutes: 50, basis: 'straight' })
  })

  it('is unknown if one is unknown', () => {
    expect(latestArrival(estimates, ['a', 'c'])).toBeNull()
    expect(latestArrival(estimates, [])).toBeNull()
  })
})
