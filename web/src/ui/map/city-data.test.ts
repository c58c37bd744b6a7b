import { readFileSync } from 'node:fs'

import { expect, it, vi } from 'vitest'

import { loadCity } from './city-data'
import { smoothLine } from './smooth-line'

vi.stubGlobal('fetch', () => Promise.resolve(new Response(readFileSync('public/map/colombo.json'))))
const city = await loadCity()
vi.unstubAllGlobals()

it('the base map holds what the demo city is known by', () => {
  const names = new Set(city.shapes.map(({ name }) => name))
  for (const name of ['Fort', 'Borella', 'Wellawatte', 'Galle Road', 'Beira Lake', 'Viharamahadevi Park', 'Kelani River']) {
    expect(names).toContain(name)
  }
  expect(city.credit).not.toBe('')
})

it('everything drawn lies on earth', () => {
  for (const { lines } of city.shapes) {
    for (const [x, y] of lines.flat()) {
      expect(x).toBeGreaterThan(0.7)
      expect(x).toBeLessThan(0.73)
      expect(y).toBeGreaterThan(0.47)
      expect(y).toBeLessThan(0.49)
    }
  }
})

it('a smoothed line passes through its points and keeps its corners', () => {
  const bend = smoothLine([
    [0, 0],
    [1, 0],
    [2, 0.5],
  ])
  expect(bend).toHaveLength(11)
  expect(bend[5]?.[0]).toBeCloseTo(1)
  expect(bend[5]?.[1]).toBeCloseTo(0)
  const corner = smoothLine([
    [0, 0],
    [1, 0],
    [1, 1],
  ])
  for (const [x, y] of corner.slice(0, 6)) expect([y, x <= 1]).toEqual([0, true])
})
