import { describe, expect, it } from 'vitest'

import type { DevicePosition } from '@/lib/live/frames'

import { PositionThrottle } from './position-throttle'

/** A position so many metres north after so many seconds. */
function position(second: number, metres: number, more: Partial<DevicePosition> = {}): DevicePosition {
  return { lat: 6.9 + metres / 111_195, lng: 79.86, at: new Date(Date.UTC(2026, 10, 21, 10, 0, second)).toISOString(), ...more }
}

/** The seconds at which a position was sent. */
function sentSeconds(positions: DevicePosition[]): number[] {
  const throttle = new PositionThrottle()
  return positions.filter((one) => throttle.shouldSend(one)).map(({ at }) => (Date.parse(at) - Date.UTC(2026, 10, 21, 10)) / 1000)
}

const seconds = (count: number) => Array.from({ length: count }, (_, second) => second)

describe('how often a position is sent', () => {
  it('is seldom while standing still', () => {
    expect(sentSeconds(seconds(60).map((second) => position(second, 0)))).toEqual([0, 20, 40])
  })

  it('is each second at the speed of a scooter', () => {
    expect(sentSeconds(seconds(5).map((second) => position(second, second * 16)))).toEqual([0, 1, 2, 3, 4])
  })

  it('is every other second at a walk', () => {
    expect(sentSeconds(seconds(7).map((second) => position(second, second * 2, { speed: 2 })))).toEqual([0, 2, 4, 6])
  })

  it('takes no error of the measurement for a movement', () => {
    expect(sentSeconds([position(0, 0), position(1, 400, { accuracy: 900 }), position(2, 60, { accuracy: 8 })])).toEqual([0, 2])
  })
})

describe('a device', () => {
  it('may rest after two minutes on the spot, until it moves', () => {
    const throttle = new PositionThrottle()
    const rests = (second: number, metres: number) => {
      const one = position(second, metres)
      throttle.shouldSend(one)
      return throttle.isResting(one)
    }
    expect([rests(0, 0), rests(100, 2), rests(121, 3), rests(122, 40)]).toEqual([false, false, true, false])
  })
})
