import { describe, expect, it } from 'vitest'

import { eastOf, Fleet, southOf } from './fleet'

const here = { lat: 6.9, lng: 79.85 }
const START = Date.parse('2026-11-21T10:00:00Z')

function markerOf(fleet: Fleet) {
  const marker = fleet.get('d1')
  if (marker === undefined) throw new Error('it is gone')
  return marker
}

/** A position on the way north at 10 m/s. */
function after(second: number) {
  return { lat: here.lat + second * 0.00009, lng: here.lng, speed: 10, heading: 0, at: new Date(START + second * 1000).toISOString() }
}

function newFleet(jumps = false): Fleet {
  const fleet = new Fleet()
  fleet.setJumps(jumps)
  fleet.put('d1', here, 0)
  return fleet
}

describe('a fleet', () => {
  it('begins where it was last seen, and jumps to its first position', () => {
    const fleet = newFleet()
    expect(fleet.advance(1000)).toBe(Number.POSITIVE_INFINITY)
    fleet.move('d1', after(3), 3000)
    expect(markerOf(fleet).y).toBe(southOf(here))
    expect(fleet.advance(3000)).toBe(3000)
    expect(markerOf(fleet).y).toBeCloseTo(southOf(after(3)), 12)
  })

  it('moves on between positions, and is looked at until it rests', () => {
    const fleet = newFleet()
    for (const second of [0, 5, 10]) fleet.move('d1', after(second), second * 1000)
    expect(fleet.advance(13_000)).toBe(13_000)
    expect(markerOf(fleet)).toMatchObject({ state: 'measured', x: eastOf(here) })
    expect(markerOf(fleet).y).toBeCloseTo(southOf(after(13)), 8)
    expect(markerOf(fleet).heading).toBeCloseTo(0, 6)
    expect(fleet.advance(45_000)).toBe(70_000)
    expect(markerOf(fleet).state).toBe('guessing')
    expect(fleet.advance(70_000)).toBe(Number.POSITIVE_INFINITY)
    expect(markerOf(fleet).state).toBe('lost')
  })

  it('follows the street where it is known', () => {
    const fleet = newFleet()
    const bend = after(12)
    fleet.setRoute('d1', [here, bend, { lat: bend.lat, lng: bend.lng + 0.01 }], 0)
    for (const second of [0, 5, 10]) fleet.move('d1', after(second), second * 1000)
    fleet.advance(14_000)
    expect(markerOf(fleet).y).toBeCloseTo(southOf(bend), 8)
    expect(markerOf(fleet).x).toBeGreaterThan(eastOf(here))
  })

  it('moves with positions only with reduced motion', () => {
    const fleet = newFleet(true)
    for (const second of [0, 5]) fleet.move('d1', after(second), second * 1000)
    expect(fleet.advance(8000)).toBeGreaterThan(8000)
    expect(markerOf(fleet).y).toBeCloseTo(southOf(after(5)), 12)
  })

  it('is as large as what is under way, however many positions come', () => {
    const fleet = newFleet()
    fleet.put('d2', here, 0)
    for (let second = 0; second < 1000; second += 1) fleet.move('d1', after(second % 7), second)
    expect(fleet.size).toBe(2)
    expect(fleet.moves).toBe(1000)
    fleet.move('unknown', after(0), 0)
    expect(fleet.moves).toBe(1000)
    fleet.keepOnly(new Set(['d2']))
    expect(fleet.get('d1')).toBeUndefined()
    fleet.put('d2', after(5), 1)
    expect(fleet.get('d2')).toMatchObject({ kind: 1, y: southOf(here) })
  })

  it('lies on the web’s map', () => {
    expect(eastOf({ lat: 0, lng: 0 })).toBe(0.5)
    expect(southOf({ lat: 0, lng: 0 })).toBe(0.5)
    expect(southOf({ lat: 85.0511287798066, lng: 0 })).toBeCloseTo(0, 9)
  })
})
