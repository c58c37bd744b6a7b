import { delivered, Writer } from '@test/history'
import { expect, it } from 'vitest'

import { layoutGraph, offsetAtX, xOf } from './graph-layout'
import { chainOf, lanesOf, readHistory } from './history'
import { scaleOf, WHOLE } from './scale'

const history = readHistory(delivered())

function drawn(of = history, chain = new Set<string>(), view = WHOLE, kind: 'even' | 'true' = 'even') {
  const { scale, offsets } = scaleOf(of, kind)
  return layoutGraph({ history: of, lanes: lanesOf(of), scale, kind, offsets, view, width: 900, chain })
}

it('draws every event, its cause, and the time between them', () => {
  const { dots, arrows } = drawn()
  expect(dots).toHaveLength(history.filter(({ lane }) => lane !== 'position').length)
  const arrow = arrows.find(({ id }) => history.find((one) => one.id === id)?.kind === 'delivery.created')
  expect(arrow?.label).toBe('12ms')
  expect(arrows).toHaveLength(history.filter(({ cause }) => cause !== null).length)
})

it('draws hundreds of positions as a band', () => {
  const writer = new Writer()
  writer.write('order.placed', 0)
  for (let at = 0; at < 600; at += 1) writer.position(1_000 + at * 1_000, 6.9)
  writer.write('order.delivered', 700_000)
  const { dots, bars } = drawn(readHistory(writer.views))
  expect(dots).toHaveLength(2)
  expect(bars.length).toBeLessThan(160)
  expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(600)
})

it('writes no name over another, and those of the chosen chain first', () => {
  const narrow = (chain: Set<string>) => drawn(history, chain, WHOLE, 'true').dots
  const chosen = history.find(({ kind }) => kind === 'notification.sent')?.id ?? ''
  const chain = chainOf(history, chosen)
  expect(narrow(new Set()).filter(({ label }) => label === null).length).toBeGreaterThan(0)
  expect(narrow(chain).find(({ one }) => one.id === chosen)?.label?.text).toBe('sent')
})

it('writes nothing over the head of an arrow', () => {
  for (const kind of ['even', 'true'] as const) {
    const { dots, arrows } = drawn(history, new Set(), WHOLE, kind)
    // The marker is seven strokes long and wide, and three quarters of it lie behind the end of the path.
    const stroke = 1.4
    const heads = arrows.map(({ path }) => {
      const [turnY = 0, x = 0, y = 0] = (path.match(/-?[\d.]+/g) ?? []).slice(-3).map(Number)
      const back = 0.75 * 7 * stroke
      return { x, half: 3.5 * stroke, top: turnY < y ? y - back : y, bottom: turnY < y ? y : y + back }
    })
    const written = [...dots.flatMap(({ label }) => label ?? []), ...arrows.flatMap(({ label, x, y }) => (label === null ? [] : { text: label, x, y: y + 4 }))]
    // Letters of 11 px: about 5 px wide, and 8 px above their line.
    const covered = written.filter(({ text, x, y }) => {
      const half = text.length * 2.5
      return heads.some((head) => x - half < head.x + head.half && head.x - head.half < x + half && y - 8 < head.bottom && head.top < y)
    })
    expect(heads.length).toBeGreaterThan(6)
    expect(written.length).toBeGreaterThan(8)
    expect(covered).toEqual([])
  }
})

it('finds its way from pixels to offsets and back', () => {
  const view = { from: 0.2, to: 0.6 }
  expect(offsetAtX(xOf(0.37, view, 900), view, 900)).toBeCloseTo(0.37)
})

it('has ticks that do not touch, and rise', () => {
  for (const kind of ['even', 'true'] as const) {
    const { ticks } = drawn(history, new Set(), WHOLE, kind)
    expect(ticks.length).toBeGreaterThan(2)
    expect(new Set(ticks.map(({ text }) => text.length)).size).toBe(1)
    for (const [index, tick] of ticks.entries()) expect(tick.x - (ticks[index - 1]?.x ?? -999)).toBeGreaterThanOrEqual(92)
  }
  const deep = drawn(history, new Set(), { from: 0.001, to: 0.0015 }, 'true').ticks
  expect(deep.some(({ text }) => /\.\d{3}$/.test(text))).toBe(true)
})
