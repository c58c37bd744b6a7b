import { describe, expect, it } from 'vitest'

import { dayMark, daysAgo } from './figures'

describe('the first of some days', () => {
  it('is counted by the calendar where clocks change', () => {
    // Half past midnight in Berlin, the day after one of 23 hours.
    const now = Date.parse('2026-03-29T22:30:00Z')
    expect([0, 1, 2].map((days) => daysAgo(days, now, 'Europe/Berlin'))).toEqual(['2026-03-30', '2026-03-29', '2026-03-28'])
    // Half past eleven in the evening of a day of 25 hours.
    const late = Date.parse('2026-10-25T22:30:00Z')
    expect([0, 1].map((days) => daysAgo(days, late, 'Europe/Berlin'))).toEqual(['2026-10-25', '2026-10-24'])
  })

  it('is one of the platform', () => {
    expect(daysAgo(0, Date.parse('2026-11-21T18:29:00Z'))).toBe('2026-11-21')
    expect(daysAgo(0, Date.parse('2026-11-21T18:30:00Z'))).toBe('2026-11-22')
  })
})

it('a day is marked without its year, in any zone', () => {
  expect(dayMark('2026-11-21')).toBe('Nov 21')
})
