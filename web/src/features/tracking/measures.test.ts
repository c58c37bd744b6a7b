import { expect, it } from 'vitest'

import type { RouteLeg } from '@/api/generated/types.gen'

import { ageText, distanceText, metresLeft } from './measures'

it('says a distance', () => {
  expect(distanceText(4)).toBe('10 m')
  expect(distanceText(344)).toBe('340 m')
  expect(distanceText(1240)).toBe('1.2 km')
})

it('says the age of a position', () => {
  const at = '2026-11-21T10:00:00Z'
  expect(ageText(at, Date.parse(at) + 3200)).toBe('updated 3 s ago')
  expect(ageText(at, Date.parse(at) - 5000)).toBe('updated 0 s ago')
})

it('measures the part of the route that is left', () => {
  const leg = (metres: number, over: Partial<RouteLeg> = {}): RouteLeg => ({ points: [], metres, seconds: 60, basis: 'street', ...over })
  expect(metresLeft({ toRestaurant: leg(800), toDestination: leg(2000) }, 300)).toBe(2500)
  expect(metresLeft({ toRestaurant: null, toDestination: leg(2000) }, 300)).toBe(1700)
  expect(metresLeft({ toDestination: leg(2000) }, 2010)).toBe(0)
  // Unknown: off the route, before it is there, without streets.
  expect(metresLeft({ toDestination: leg(2000) }, null)).toBeNull()
  expect(metresLeft(undefined, 0)).toBeNull()
  expect(metresLeft({ toRestaurant: leg(800), toDestination: null }, 0)).toBeNull()
  expect(metresLeft({ toDestination: leg(2000, { basis: 'straight' }) }, 0)).toBeNull()
})
