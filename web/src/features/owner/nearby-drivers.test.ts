import { driver } from '@test/platform'
import { describe, expect, it } from 'vitest'

import { driverName, nearestFirst, distanceStep } from './nearby-drivers'

describe('what owners see of a driver', () => {
  it('is a first name, and how far they are in four steps', () => {
    expect(driverName(driver({ firstName: 'Kasun', lastName: '' }))).toBe('Kasun')
    expect([0, 999, 1000, 2000, 4999, 5000, 90_000].map(distanceStep)).toEqual([0, 0, 1000, 2000, 2000, 5000, 5000])
  })
})

describe('the drivers for an order', () => {
  it('are the available ones, the nearest first and those without a position last', () => {
    const drivers = [
      driver({ firstName: 'Unseen' }),
      driver({ firstName: 'Far', distance: 4200 }),
      driver({ firstName: 'Gone', distance: 10, isAvailable: false }),
      driver({ firstName: 'Near', distance: 300 }),
      driver({ firstName: 'Absent' }),
    ]
    expect(nearestFirst(drivers).map(({ firstName }) => firstName)).toEqual(['Near', 'Far', 'Absent', 'Unseen'])
  })
})
