import { describe, expect, it } from 'vitest'

import { eastOf, Fleet, progressOf, southOf } from './fleet'

const here = { lat: 6.9, lng: 79.85 }
const north = { lat: 6.901, lng: 79.85 }

function markerOf(fleet: Fleet) {
  const marker = fleet.get('d1')
  if (marker === undefined) throw new Error('it is gone')
  return marker
}

describe('a fleet', () => {
  it('begins where it was last seen, and jumps to its first position', () => {
    const fleet = new Fleet()
    fleet.put('d1', here, 0)
    fleet.move('d1', north, null, 1000, false)
    expect(progressOf(markerOf(fleet), 1000)).toBe(1)
    expect(markerOf(fleet).toY).toBe(southOf(north))
  })

  it('glides as long as positions are apart, on from where it is drawn', () => {
    const fleet = new Fleet()
    fleet.put('d1', here, 0)
    fleet.move('d1', here, null, 1000, false)
    fleet.move('d1', north, null, 1800, false)
    const marker = markerOf(fleet)
    expect(progressOf(marker, 2200)).toBe(0.5)
    const halfway = marker.fromY + (marker.toY - marker.fromY) * 0.5
    fleet.move('d1', here, null, 2200, false)
    expect(marker.fromY).toBeCloseTo(halfway, 12)
    expect(fleet.isMoving(2300)).toBe(true)
    expect(fleet.isMoving(9000)).toBe(false)
  })

  it('heads where the device says, else where it goes', () => {
    const fleet = new Fleet()
    fleet.put('d1', here, 0)
    expect(markerOf(fleet).heading).toBeNaN()
    fleet.move('d1', north, null, 1000, false)
    expect(markerOf(fleet).heading).toBeCloseTo(0, 6)
    fleet.move('d1', north, 90, 2000, false)
    expect(markerOf(fleet).heading).toBeCloseTo(Math.PI / 2, 6)
  })

  it('does not glide with reduced motion', () => {
    const fleet = new Fleet()
    fleet.put('d1', here, 0)
    fleet.move('d1', here, null, 1000, true)
    fleet.move('d1', north, null, 2000, true)
    expect(progressOf(markerOf(fleet), 2000)).toBe(1)
  })

  it('is as large as what is under way, however many positions come', () => {
    const fleet = new Fleet()
    fleet.put('d1', here, 0)
    fleet.put('d2', here, 0)
    for (let second = 0; second < 1000; second += 1) fleet.move('d1', second % 2 === 0 ? here : north, null, second, false)
    expect(fleet.size).toBe(2)
    expect(fleet.moves).toBe(1000)
    fleet.move('unknown', here, null, 0, false)
    expect(fleet.moves).toBe(1000)
    fleet.keepOnly(new Set(['d2']))
    expect(fleet.get('d1')).toBeUndefined()
    fleet.put('d2', north, 1)
    expect(fleet.get('d2')).toMatchObject({ kind: 1, toY: southOf(here) })
  })

  it('lies on the web’s map', () => {
    expect(eastOf({ lat: 0, lng: 0 })).toBe(0.5)
    expect(southOf({ lat: 0, lng: 0 })).toBe(0.5)
    expect(southOf({ lat: 85.0511287798066, lng: 0 })).toBeCloseTo(0, 9)
  })
})
