import { describe, expect, it } from 'vitest'

import { DeviceClock } from './clock'
import { FixFilter, type Fix } from './fixes'

const START = Date.parse('2026-11-21T10:00:00Z')

function fix(second: number, over: Partial<Fix> = {}): Fix {
  return { lat: 60.17 + second * 0.0001, lng: 24.94, accuracy: 8, at: new Date(START + second * 1000).toISOString(), ...over }
}

/** The verdicts on fixes that arrive as they are measured, or when they say. */
function verdicts(fixes: Fix[], arrivals?: number[]): string[] {
  const filter = new FixFilter()
  return fixes.map((one, at) => filter.judge(one, START + 200 + (arrivals?.[at] ?? (Date.parse(one.at) - START) / 1000) * 1000))
}

const FAR = { lat: 62.8 }

describe('the filter of fixes', () => {
  it('takes fixes one after the other', () => {
    expect(verdicts([fix(0), fix(5), fix(10)])).toEqual(['good', 'good', 'good'])
  })

  it('leaves out duplicates and late ones', () => {
    expect(verdicts([fix(0), fix(10), fix(10), fix(5), fix(15)], [0, 10, 11, 12, 15])).toEqual(['good', 'good', 'duplicate', 'late', 'good'])
  })

  it('leaves out places that are none', () => {
    expect(verdicts([fix(0, { lat: 0, lng: 0 }), fix(1, { lat: 91 }), fix(2, { lat: Number.NaN })])).toEqual(['unknown', 'unknown', 'unknown'])
    expect(new FixFilter().judge(fix(0, { at: 'soon' }), START)).toBe('unknown')
  })

  it('leaves out rough ones while better ones come', () => {
    expect(verdicts([fix(0), fix(5, { accuracy: 900 }), fix(10), fix(50, { accuracy: 900 })])).toEqual(['good', 'inaccurate', 'good', 'good'])
  })

  it('leaves out one that is 300 km away', () => {
    expect(verdicts([fix(0), fix(5, FAR), fix(10), fix(15, FAR), fix(20)])).toEqual(['good', 'jump', 'good', 'jump', 'good'])
  })

  it('believes it once the next agrees', () => {
    expect(verdicts([fix(0), fix(5, FAR), fix(10, FAR), fix(15, FAR)])).toEqual(['good', 'jump', 'moved', 'good'])
  })

  it('follows a clock that is set back, and not a device that sends what it saved up', () => {
    const [first, back] = [fix(7200), [fix(3605), fix(3610), fix(3615)]]
    expect(verdicts([first, ...back], [0, 5, 10, 15])).toEqual(['good', 'late', 'moved', 'good'])
    expect(verdicts([first, ...back], [0, 1, 1.1, 1.2])).toEqual(['good', 'late', 'late', 'late'])
  })
})

describe('the clock of a device', () => {
  it('differs by the smallest of the last differences', () => {
    const clock = new DeviceClock()
    for (const [second, delay] of [[0, 400], [5, 120], [10, 2500]] as const) clock.observe(second * 1000, second * 1000 + 3_600_000 + delay)
    expect(clock.ours(10_000)).toBe(3_610_120)
  })

  it('may be set', () => {
    const clock = new DeviceClock()
    for (let second = 0; second < 60; second += 5) clock.observe(second * 1000, second * 1000)
    for (const second of [60, 65]) clock.observe(second * 1000 - 3_600_000, second * 1000)
    expect(clock.offset).toBe(0)
    clock.observe(70_000 - 3_600_000, 70_000)
    expect(clock.offset).toBe(3_600_000)
    clock.observe(75_000, 75_000)
    expect(clock.offset).toBe(0)
  })
})
