import { expect, it } from 'vitest'

import { ageText, distanceText } from './measures'

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
