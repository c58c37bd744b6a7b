import { describe, expect, it } from 'vitest'

import type { DevicePosition } from '@/lib/live/frames'

import { Rate } from './rate'

/** A fix so many metres north after so many seconds. */
function fix(second: number, metres: number, more: Partial<DevicePosition> = {}): DevicePosition {
  return { lat: 6.9 + metres / 111_195, lng: 79.86, at: new Date(Date.UTC(2026, 10, 21, 10, 0, second)).toISOString(), ...more }
}

/** The seconds at which a position was sent. */
function sent(fixes: DevicePosition[]): number[] {
  const rate = new Rate()
  return fixes.filter((one) => rate.admits(one)).map(({ at }) => (Date.parse(at) - Date.UTC(2026, 10, 21, 10)) / 1000)
}

const seconds = (count: number) => Array.from({ length: count }, (_, second) => second)

describe('how often a position is told', () => {
  it('is seldom while standing still', () => {
    expect(sent(seconds(60).map((second) => fix(second, 0)))).toEqual([0, 20, 40])
  })

  it('is each second at the speed of a scooter', () => {
    expect(sent(seconds(5).map((second) => fix(second, second * 16)))).toEqual([0, 1, 2, 3, 4])
  })

  it('is every other second at a walk', () => {
    expect(sent(seconds(7).map((second) => fix(second, second * 2, { speed: 2 })))).toEqual([0, 2, 4, 6])
  })

  it('takes no error of the measurement for a movement', () => {
    expect(sent([fix(0, 0), fix(1, 400, { accuracy: 900 }), fix(2, 60, { accuracy: 8 })])).toEqual([0, 2])
  })
})

describe('a device', () => {
  it('may rest after two minutes on the spot, until it moves', () => {
    const rate = new Rate()
    const rests = (second: number, metres: number) => {
      const one = fix(second, metres)
      rate.admits(one)
      return rate.rests(one)
    }
    expect([rests(0, 0), rests(100, 2), rests(121, 3), rests(122, 40)]).toEqual([false, false, true, false])
  })
})
