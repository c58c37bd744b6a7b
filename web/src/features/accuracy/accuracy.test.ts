import { describe, expect, it } from 'vitest'

import { hourText, inLocalOrder, isTooFew, leadText, shareText } from './accuracy'

const score = { shown: 20, held: 0, early: 0, late: 0, minutesOff: 0 }

describe('a share', () => {
  it('is in per cent', () => {
    expect(shareText(16, { shown: 20 })).toBe('80%')
    expect(shareText(8, { shown: 10 })).toBe('80%')
  })

  it('is a number where it would mislead', () => {
    expect(shareText(8, { shown: 9 })).toBe('8 of 9')
    expect([isTooFew({ shown: 9 }), isTooFew({ shown: 10 })]).toEqual([true, false])
  })
})

describe('an hour', () => {
  it('is by the clocks of the platform, not those of UTC', () => {
    expect([0, 6, 18, 23].map((hour) => hourText(hour))).toEqual(['05:30–06:30', '11:30–12:30', '23:30–00:30', '04:30–05:30'])
  })

  it('follows the clocks where they change', () => {
    const [winter, summer] = ['2026-01-15T12:34:56Z', '2026-07-15T12:34:56Z'].map((at) => hourText(12, Date.parse(at), 'Europe/Berlin'))
    expect([winter, summer]).toEqual(['13:00–14:00', '14:00–15:00'])
  })

  it('comes in the order of the day', () => {
    const hours = [0, 6, 18, 19, 23].map((hour) => ({ ...score, hour }))
    expect(inLocalOrder(hours).map(({ hour }) => hour)).toEqual([19, 23, 0, 6, 18])
  })
})

it('says the time left by its class', () => {
  expect([0, 5, 30, 45].map(leadText)).toEqual(['0–5 min', '5–10 min', '30–45 min', '45 min or more'])
})
