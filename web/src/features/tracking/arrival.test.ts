import { describe, expect, it } from 'vitest'

import { type ArrivalRange, arrivalSentence, arrivalText, timeLeftText } from './arrival'

const at = (time: string) => new Date(`2026-11-21T${time}`)
const range: ArrivalRange = { earliest: at('12:23:00').toISOString(), latest: at('12:31:00').toISOString(), isRough: false }

/** The texts with plain spaces: formatters put narrow ones beside a time. */
function said(time: string, over: Partial<ArrivalRange> = {}) {
  const now = at(time).getTime()
  const shown = { ...range, ...over }
  return [arrivalText(shown, now), timeLeftText(shown, now), arrivalSentence(shown, now)].map((text) => text.replace(/\s/g, ' '))
}

describe('the range of an arrival', () => {
  it.each([
    ['12:15:00', 'in 8–16 min'],
    // Rounded outwards: no promise is narrower than the range.
    ['12:15:30', 'in 7–16 min'],
    ['12:22:30', 'within 9 min'],
    ['12:30:40', 'within 1 min'],
    ['12:31:59', 'within 1 min'],
  ])('at %s is %s', (time, left) => {
    expect(said(time)).toEqual(['12:23 – 12:31 PM', left, 'Arriving between 12:23 PM and 12:31 PM.'])
  })

  it('is marked where it is rough', () => {
    expect(said('12:15:00', { isRough: true })).toEqual([
      'about 12:23 – 12:31 PM',
      'in 8–16 min',
      'Arriving between about 12:23 PM and 12:31 PM.',
    ])
  })

  it.each([false, true])('is over after its last minute (rough: %s)', (isRough) => {
    expect(said('12:32:00', { isRough })).toEqual([
      'Later than expected',
      'expected until 12:31 PM',
      'It is later than expected: it was to arrive by 12:31 PM.',
    ])
  })
})
