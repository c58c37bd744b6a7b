import { expect, it } from 'vitest'

import { fillingUp, fullIn, isTooYoung, urgencyOf } from './capacity'

const NOW = Date.parse('2026-11-25T12:00:00Z')
const inDays = (days: number) => new Date(NOW + days * 86_400_000).toISOString()

it.each([
  [0.4, 'operator.fullInDays', 0],
  [1.2, 'operator.fullInDays', 1],
  [13.9, 'operator.fullInDays', 13],
  [21, 'operator.fullInWeeks', 3],
  [90, 'operator.fullInWeeks', 13],
  [122, 'operator.fullInMonths', 4],
  [729, 'operator.fullInMonths', 24],
  [1_100, 'operator.fullInYears', 3],
])('%s days', (days, text, count) => {
  expect(fullIn(inDays(days), NOW)).toEqual({ text, count })
})

it.each([
  [null, 'later'],
  [inDays(0), 'full'],
  [inDays(-3), 'full'],
  [inDays(1.9), 'verySoon'],
  [inDays(13.9), 'soon'],
  [inDays(14), 'later'],
])('is as urgent as the time that is left: %s', (fullAt, urgency) => {
  expect(urgencyOf(fullAt, NOW)).toBe(urgency)
})

it('puts the disk among the streams that fill up, and leaves out what never does', () => {
  const stream = (name: string, fullAt: string | null) => ({ name, fullAt, percent: 40, messages: 1, bytes: 1, refuses: true })
  const streams = [stream('NOTIFICATIONS', inDays(3)), stream('ORDERS', inDays(30)), stream('POSITIONS', null)]
  const all = fillingUp({ streams, broker: { bytes: 1, percent: 5, fullAt: inDays(10) } })
  expect(all.map((one) => one.stream)).toEqual(['NOTIFICATIONS', null, 'ORDERS'])
})

it('knows a platform that is too young for paces', () => {
  const window = { since: inDays(-0.5), days: 0.5, isWhole: false }
  expect([isTooYoung({ window }), isTooYoung({ window: { ...window, days: 1 } })]).toEqual([true, false])
})
