import { describe, expect, it } from 'vitest'

import { bearing, distance, headingBetween, headingOf, isKnown, placeBetween } from './geo'
import { PositionSource } from './position-source'

const fort = { lat: 6.9344, lng: 79.8428 }
const borella = { lat: 6.915, lng: 79.8784 }

it('a heading is that of the device, else the direction moved, else what it was', () => {
  expect(headingOf(-90, fort, borella, 5)).toBe(270)
  expect(headingOf(null, fort, borella, 5)).toBeCloseTo(bearing(fort, borella))
  expect(headingOf(Number.NaN, fort, fort, 5)).toBe(5)
})

it('a heading turns the short way round', () => {
  expect(headingBetween(350, 10, 0)).toBeCloseTo(350)
  expect(headingBetween(350, 10, 1 / 6)).toBeCloseTo(0)
  expect(headingBetween(350, 10, 0.5)).toBeCloseTo(10)
  expect(headingBetween(null, 10, 0)).toBe(10)
})

describe('places', () => {
  it('are measured in metres and degrees from north', () => {
    expect(distance(fort, borella)).toBeGreaterThan(4400)
    expect(distance(fort, borella)).toBeLessThan(4600)
    expect(bearing({ lat: 6.9, lng: 79.86 }, { lat: 6.95, lng: 79.86 })).toBeCloseTo(0)
    expect(bearing({ lat: 6.9, lng: 79.86 }, { lat: 6.9, lng: 79.85 })).toBeCloseTo(270, 1)
  })

  it('lie between two others', () => {
    expect(placeBetween(fort, borella, 0)).toEqual(fort)
    expect(placeBetween(fort, borella, 0.5).lat).toBeCloseTo((fort.lat + borella.lat) / 2, 10)
  })

  it('are unknown at 0,0', () => {
    expect(isKnown({ lat: 0, lng: 0 })).toBe(false)
    expect(isKnown(null)).toBe(false)
    expect(isKnown({ lat: Number.NaN, lng: 79 })).toBe(false)
    expect(isKnown(fort)).toBe(true)
  })
})

it('a source takes only newer positions', () => {
  const positionSource = new PositionSource()
  const at = (second: number) => ({ ...fort, at: `2026-11-21T10:00:0${second}Z` })
  expect([1, 3, 2, 3].map((second) => positionSource.push(at(second)))).toEqual([true, true, false, false])
  expect(positionSource.latest).toEqual(at(3))
})
