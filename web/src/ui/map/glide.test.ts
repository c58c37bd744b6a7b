import { describe, expect, it } from 'vitest'

import { PositionSource } from './position-source'
import { bearing, distance, isKnown } from './geo'
import { type Glide, glideDuration, headingAt, headingOf, placeAt, progress } from './glide'

const fort = { lat: 6.9344, lng: 79.8428 }
const borella = { lat: 6.915, lng: 79.8784 }

function glide(over: Partial<Glide> = {}): Glide {
  return { from: fort, to: borella, fromHeading: null, toHeading: null, start: 1000, duration: 200, ...over }
}

describe('a glide', () => {
  it('moves evenly and ends exactly on the position', () => {
    expect(placeAt(glide(), 1000)).toEqual(fort)
    expect(placeAt(glide(), 1100).lat).toBeCloseTo((fort.lat + borella.lat) / 2, 10)
    expect(placeAt(glide(), 1100).lng).toBeCloseTo((fort.lng + borella.lng) / 2, 10)
    expect(placeAt(glide(), 1200)).toBe(borella)
    expect(placeAt(glide(), 9999)).toBe(borella)
  })

  it('has begun a frame after it was started, and never runs backwards', () => {
    expect(progress(glide(), 1016)).toBeGreaterThan(0)
    expect(progress(glide(), 900)).toBe(0)
  })

  it('jumps when it has no duration', () => {
    expect(placeAt(glide({ duration: 0 }), 1000)).toBe(borella)
  })

  it.each([
    ['the first position is drawn at once', undefined, 0],
    ['positions at 5 Hz', 200, 200],
    ['a long pause', 60_000, 1000],
    ['two positions in one frame', 0, 100],
  ])('lasts as long as the positions are apart: %s', (_, sinceLast, lasts) => {
    expect(glideDuration(sinceLast)).toBe(lasts)
  })
})

describe('the heading', () => {
  it('turns the short way round', () => {
    const turning = glide({ fromHeading: 350, toHeading: 10 })
    expect(headingAt(turning, 1000)).toBeCloseTo(350)
    expect(headingAt(turning, 1000 + 200 / 6)).toBeCloseTo(0)
    expect(headingAt(turning, 1100)).toBeCloseTo(10)
  })

  it('is that of the device, else the direction moved, else what it was', () => {
    expect(headingOf(-90, fort, borella, 5)).toBe(270)
    expect(headingOf(null, fort, borella, 5)).toBeCloseTo(bearing(fort, borella))
    expect(headingOf(Number.NaN, fort, fort, 5)).toBe(5)
  })
})

describe('places', () => {
  it('are measured in metres and degrees from north', () => {
    expect(distance(fort, borella)).toBeGreaterThan(4400)
    expect(distance(fort, borella)).toBeLessThan(4600)
    expect(bearing({ lat: 6.9, lng: 79.86 }, { lat: 6.95, lng: 79.86 })).toBeCloseTo(0)
    expect(bearing({ lat: 6.9, lng: 79.86 }, { lat: 6.9, lng: 79.85 })).toBeCloseTo(270, 1)
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
