import { driver } from '@test/platform'
import { describe, expect, it } from 'vitest'

import { nearestFirst } from './near'

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
