import { driver } from '@test/platform'
import { describe, expect, it } from 'vitest'

import { nameOf, nearestFirst, stepOf } from './near'

describe('what owners see of a driver', () => {
  it('is a first name, and how far they are in four steps', () => {
    expect(nameOf(driver({ firstName: 'Kasun', lastName: '' }))).toBe('Kasun')
    expect([0, 999, 1000, 2000, 4999, 5000, 90_000].map(stepOf)).toEqual([0, 0, 1000, 2000, 2000, 5000, 5000])
  })
})

describe('who can bring an order', () => {
  it('is who is free, the nearest first and who was not seen last', () => {
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
