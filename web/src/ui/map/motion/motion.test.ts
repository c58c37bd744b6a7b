import { describe, expect, it } from 'vitest'

import type { Coordinates } from '@/lib/geolocation'
import { distance } from '@/ui/map/geo'

import type { Fix } from './fixes'
import { Motion } from './motion'
import { Route } from './route'

const START = Date.parse('2026-11-21T10:00:00Z')
/** Two kilometres east, then two north. */
const corner = { lat: 60.17, lng: 24.96 }
const points = [{ lat: 60.17, lng: 24.92 }, corner, { lat: 60.19, lng: 24.96 }]
const street = Route.of(points)

/** A driver at 8 m/s on the street, or wherever a test says. */
class Drive {
  readonly motion: Motion
  readonly #clock: number
  readonly #speed: number

  constructor({ clock = 0, speed = 8, jumps = false, route = true } = {}) {
    this.motion = new Motion({ jumps })
    this.#clock = clock
    this.#speed = speed
    if (route) this.motion.setRoute(points, START)
  }

  along(second: number): number {
    return second * this.#speed
  }

  on(along: number): Coordinates {
    return street?.placeAt(along) ?? corner
  }

  fix(second: number, over: Partial<Fix> = {}): string {
    const place = this.on(this.along(second))
    const at = new Date(START + second * 1000 + this.#clock).toISOString()
    return this.motion.push({ ...place, speed: this.#speed, accuracy: 6, at, ...over }, START + second * 1000 + 150)
  }

  at(second: number) {
    const moment = this.motion.at(START + second * 1000)
    if (moment === null) throw new Error('no fix yet')
    return moment
  }

  alongAt(second: number): number {
    return this.motion.alongAt(START + second * 1000) ?? Number.NaN
  }

  error(second: number): number {
    return distance(this.at(second).place, this.on(this.along(second)))
  }
}

describe('between fixes', () => {
  it('is nowhere before the first', () => {
    expect(new Motion().at(START)).toBeNull()
  })

  it('moves on along the street, around its corner', () => {
    const drive = new Drive()
    const cornerAt = Math.ceil(distance(points[0] ?? corner, corner) / 8)
    for (const second of [cornerAt - 24, cornerAt - 14, cornerAt - 4]) drive.fix(second)
    const after = cornerAt + 5
    expect(drive.error(after)).toBeLessThan(4)
    expect(drive.at(after).place.lat).toBeGreaterThan(corner.lat)
    expect(drive.at(after).heading).toBeCloseTo(0, 0)
    expect(drive.at(after).state).toBe('measured')
  })

  it('learns the speed from the fixes where the device measures none', () => {
    const drive = new Drive()
    for (const second of [0, 10, 20]) drive.fix(second, { speed: null })
    expect(drive.error(28)).toBeLessThan(4)
  })

  it('does not believe a device that always says zero', () => {
    const drive = new Drive()
    for (let second = 0; second <= 50; second += 10) drive.fix(second, { speed: 0 })
    expect(drive.error(58)).toBeLessThan(5)
  })

  it('slows down when nothing comes, and rests once the driver is lost', () => {
    const drive = new Drive()
    for (const second of [0, 5, 10]) drive.fix(second)
    const way = (second: number) => drive.alongAt(second + 1) - drive.alongAt(second)
    expect(way(14)).toBeCloseTo(8, 0)
    expect(way(20)).toBeLessThan(way(16))
    expect(way(30)).toBeLessThan(0.5)
    expect(drive.alongAt(300)).toBe(drive.alongAt(71))
    expect(drive.at(15).state).toBe('measured')
    expect(drive.at(21).state).toBe('guessing')
    expect(drive.at(69).state).toBe('guessing')
    expect(drive.at(70.2).state).toBe('lost')
  })

  it('guesses later where fixes are seldom', () => {
    const drive = new Drive()
    for (const second of [0, 15, 30, 45]) drive.fix(second)
    expect(drive.at(74).state).toBe('measured')
    expect(drive.at(76).state).toBe('guessing')
  })

  it('rests where the vehicle does', () => {
    const drive = new Drive({ speed: 0 })
    drive.fix(0)
    drive.fix(5, { lat: 60.17003 })
    const { place } = drive.at(6)
    drive.fix(10, { lat: 60.16997, lng: 24.92003 })
    expect(distance(drive.at(18).place, place)).toBeLessThan(0.01)
  })

  it('moves with fixes only where motion is reduced', () => {
    const drive = new Drive({ jumps: true })
    for (const second of [0, 5]) drive.fix(second)
    expect(drive.at(9)).toEqual(drive.at(5.2))
    drive.fix(10)
    expect(drive.error(10.2)).toBeLessThan(3)
  })
})

describe('a new fix', () => {
  /** The places along the way at each tenth of a second. */
  function ways(drive: Drive, from: number, to: number): number[] {
    return Array.from({ length: Math.round((to - from) * 10) }, (_, tenth) => drive.alongAt(from + tenth / 10))
  }

  it('is waited for where the marker is a little ahead, never driving backwards', () => {
    const drive = new Drive()
    for (const second of [0, 5, 10]) drive.fix(second)
    drive.fix(20, drive.on(150))
    const drawn = ways(drive, 20, 29)
    expect(drawn.every((along, at) => at === 0 || along >= (drawn[at - 1] ?? 0))).toBe(true)
    expect(drawn.at(-1)).toBeGreaterThan(200)
  })

  it('takes the marker back no further than it lies', () => {
    const drive = new Drive()
    for (const second of [0, 5, 10, 15, 20]) drive.fix(second)
    const before = drive.alongAt(24.9)
    drive.fix(25, { ...drive.on(165), speed: 0 })
    const drawn = ways(drive, 25.2, 40)
    expect(drive.alongAt(25.15)).toBeCloseTo(before, -1)
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(164.9)
    expect(drawn.at(-1)).toBeCloseTo(165, 0)
  })

  it('is drawn without a jump', () => {
    const drive = new Drive()
    for (const second of [0, 5, 10]) drive.fix(second)
    const before = drive.at(15.149).place
    drive.fix(15, drive.on(160))
    expect(distance(before, drive.at(15.15).place)).toBeLessThan(1)
    expect(drive.alongAt(17.5)).toBeCloseTo(160 + (2.5 - 0.15) * 8, 0)
  })

  it('may come from a clock that is an hour off', () => {
    for (const clock of [-3_600_000, 3_600_000]) {
      const drive = new Drive({ clock })
      for (const second of [0, 5, 10, 15]) drive.fix(second)
      expect(drive.error(18)).toBeLessThan(4)
      expect(drive.at(18).state).toBe('measured')
      expect(drive.at(90).state).toBe('lost')
    }
  })

  it('is left out 300 km away, twice, or late', () => {
    const drive = new Drive()
    for (const second of [0, 5, 10]) drive.fix(second)
    const before = drive.at(12)
    expect(drive.fix(11, { lat: 62.8 })).toBe('jump')
    expect(drive.fix(10)).toBe('duplicate')
    expect(drive.fix(7)).toBe('late')
    expect(drive.at(12)).toEqual(before)
    expect(drive.fix(15)).toBe('good')
    expect(drive.error(17)).toBeLessThan(4)
  })
})

describe('the route', () => {
  it('is left after two fixes beside it, and found again', () => {
    const drive = new Drive()
    for (const second of [0, 5, 10]) drive.fix(second)
    const beside = { lat: 60.1712, heading: 90 }
    drive.fix(15, beside)
    expect(drive.at(15.2).offRoute).toBe(false)
    drive.fix(20, beside)
    expect(drive.at(20.2).offRoute).toBe(true)
    expect(drive.at(22).place.lat).toBeCloseTo(60.1712, 4)
    expect(distance(drive.at(24).place, { ...drive.on(24 * 8), lat: 60.1712 })).toBeLessThan(4)
    drive.fix(25)
    drive.fix(30)
    expect(drive.at(32).offRoute).toBe(false)
    expect(drive.error(33)).toBeLessThan(4)
  })

  it('is left by turning round', () => {
    const drive = new Drive()
    for (const second of [0, 10, 20]) drive.fix(second)
    for (const [second, along] of [[30, 120], [40, 70]] as const) drive.fix(second, { ...drive.on(along), heading: 270 })
    expect(drive.at(41).offRoute).toBe(true)
    expect(drive.at(45).place.lng).toBeLessThan(drive.on(40).lng)
  })

  it('may be replaced on the way, without a jump', () => {
    const drive = new Drive()
    for (const second of [0, 5, 10]) drive.fix(second)
    const now = START + 13_000
    const before = drive.at(13)
    drive.motion.setRoute([drive.on(50), corner, { lat: 60.16, lng: 24.96 }], now)
    expect(distance(drive.at(13).place, before.place)).toBeLessThan(1)
    expect(drive.alongAt(13)).toBeCloseTo(13 * 8 - 50, -1)
    drive.motion.setRoute(null, now)
    expect(drive.alongAt(13)).toBeNaN()
    expect(distance(drive.at(13).place, before.place)).toBeLessThan(1)
  })

  it('may be given again', () => {
    const drive = new Drive()
    for (const second of [0, 5]) drive.fix(second)
    for (const second of [10, 15]) drive.fix(second, { lat: 60.1712 })
    drive.motion.setRoute([...points], START + 16_000)
    expect(drive.at(16).offRoute).toBe(true)
  })

  it('is left by a vehicle that rests beside it', () => {
    const drive = new Drive()
    for (const second of [0, 5, 10]) drive.fix(second)
    const beside = { ...drive.on(90), lat: 60.1705, speed: 0 }
    for (const second of [15, 20, 25]) drive.fix(second, beside)
    expect(drive.at(30).offRoute).toBe(true)
    expect(distance(drive.at(30).place, beside)).toBeLessThan(1)
  })

  it('that lies elsewhere is not followed', () => {
    const drive = new Drive({ route: false })
    for (const second of [0, 5]) drive.fix(second, { heading: 90 })
    drive.motion.setRoute([{ lat: 60.3, lng: 25 }, { lat: 60.31, lng: 25 }], START + 6000)
    expect(drive.at(6).offRoute).toBe(true)
    expect(drive.error(8)).toBeLessThan(3)
  })

  it('is not needed', () => {
    const drive = new Drive({ route: false })
    for (const second of [0, 5, 10]) drive.fix(second)
    expect(drive.error(13)).toBeLessThan(3)
    expect(drive.at(13)).toMatchObject({ state: 'measured', offRoute: false })
    expect(drive.at(13).heading).toBeCloseTo(90, 0)
  })
})
