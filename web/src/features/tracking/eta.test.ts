import { describe, expect, it } from 'vitest'

import { ageText, distanceText, etaText, metresLeft, nextPace, secondsLeft, unknownPace } from './eta'

const restaurant = { lat: 6.9113, lng: 79.8495 }
const destination = { lat: 6.8932, lng: 79.8568 }
const nowhere = { lat: 0, lng: 0 }

function positionAt(second: number, lat: number, speed?: number) {
  return { lat, lng: 79.86, at: new Date(Date.UTC(2026, 10, 21, 10, 0, second)).toISOString(), ...(speed === undefined ? {} : { speed }) }
}

describe('what is left of the way', () => {
  it('leads by the restaurant until the driver has set out', () => {
    const driver = { lat: 6.93, lng: 79.85 }
    const fetching = metresLeft({ fetching: true, driver, restaurant, destination })
    const bringing = metresLeft({ fetching: false, driver, restaurant, destination })
    expect(fetching).toBeGreaterThan(bringing ?? Number.NaN)
    expect(metresLeft({ fetching: true, driver: null, restaurant, destination })).toBeGreaterThan(2500)
  })

  it('is unknown without a driver or a destination', () => {
    expect(metresLeft({ fetching: false, driver: null, restaurant, destination })).toBeNull()
    expect(metresLeft({ fetching: false, driver: nowhere, restaurant, destination })).toBeNull()
    expect(metresLeft({ fetching: true, driver: restaurant, restaurant, destination: nowhere })).toBeNull()
  })
})

describe('the pace', () => {
  it('follows what the driver does, slowly', () => {
    let now = unknownPace
    for (let second = 0; second <= 120; second += 1) now = nextPace(now, positionAt(second, 6.9 + second * 0.00009))
    expect(now.speed).toBeGreaterThan(9)
    expect(now.speed).toBeLessThan(10.1)
  })

  it('takes the speed of the device, unless it is nonsense', () => {
    const started = nextPace(unknownPace, positionAt(0, 6.9))
    expect(nextPace(started, positionAt(30, 6.9, 12)).speed).toBeGreaterThan(8)
    expect(nextPace(started, positionAt(30, 6.9, Number.NaN)).speed).toBeLessThan(6)
    expect(nextPace(started, positionAt(1, 7.9)).speed).toBeLessThan(7)
  })

  it('ignores positions out of order or after a gap', () => {
    const started = nextPace(unknownPace, positionAt(10, 6.9))
    expect(nextPace(started, positionAt(5, 6.95))).toBe(started)
    expect(nextPace(started, positionAt(500, 6.95)).speed).toBe(started.speed)
  })
})

describe('in words', () => {
  it('an arrival', () => {
    expect(etaText(40, 6)).toBe('Arriving now')
    expect(etaText(150, 6)).toBe('Less than a minute')
    expect(etaText(400, 6)).toBe('1 minute')
    expect(etaText(3600, 10)).toBe('6 minutes')
    // A driver who waits at a light is not hours away.
    expect(secondsLeft(2100, 0)).toBe(600)
  })

  it('a distance and an age', () => {
    expect(distanceText(4)).toBe('10 m')
    expect(distanceText(344)).toBe('340 m')
    expect(distanceText(1240)).toBe('1.2 km')
    const at = '2026-11-21T10:00:00Z'
    expect(ageText(at, Date.parse(at) + 3200)).toBe('updated 3 s ago')
    expect(ageText(at, Date.parse(at) - 5000)).toBe('updated 0 s ago')
  })
})
