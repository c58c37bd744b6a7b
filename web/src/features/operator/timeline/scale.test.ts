import { BEGIN, delivered, Writer } from '@test/history'
import { describe, expect, it } from 'vitest'

import { readHistory } from './history'
import { following, momentAt, panned, offsetOf, scaleOf, showing, binned, WHOLE, zoomed } from './scale'

const history = readHistory(delivered())

describe.each(['even', 'true'] as const)('the %s scale', (kind) => {
  const { scale, offsets } = scaleOf(history, kind)

  it('goes from 0 to 1, never back', () => {
    const all = history.map(({ id }) => offsets.get(id) ?? Number.NaN)
    expect([all[0], all.at(-1)]).toEqual([0, 1])
    for (const [index, offset] of all.entries()) expect(offset).toBeGreaterThanOrEqual(all[index - 1] ?? 0)
  })

  it('finds the moment of an offset and the offset of a moment', () => {
    for (let second = 0; second <= 240; second += 1) {
      const t = BEGIN + second * 1000
      expect(momentAt(scale, offsetOf(scale, t))).toBeCloseTo(t, 0)
    }
    expect([offsetOf(scale, BEGIN - 1e6), offsetOf(scale, BEGIN + 1e9)]).toEqual([0, 1])
  })
})

it('gives every event room where seconds would leave none', () => {
  const gaps = (kind: 'even' | 'true') => {
    const { offsets } = scaleOf(history, kind)
    const all = history.filter(({ lane }) => lane !== 'position').map(({ id }) => offsets.get(id) ?? 0)
    return all.slice(1).map((offset, index) => offset - (all[index] ?? 0))
  }
  expect(Math.min(...gaps('true'))).toBeLessThan(0.001)
  expect(Math.min(...gaps('even'))).toBeGreaterThan(0.03)
})

it('has an offset for a single event, and none', () => {
  const writer = new Writer()
  writer.write('order.placed', 0)
  expect(scaleOf(readHistory(writer.views), 'even').offsets.get('e1')).toBe(0.5)
  expect(offsetOf(scaleOf([], 'even').scale, BEGIN)).toBeTypeOf('number')
})

describe('a view', () => {
  it('is zoomed around an offset that stays where it is', () => {
    const view = zoomed(WHOLE, 0.5, 0.25)
    expect(view).toEqual({ from: 0.125, to: 0.625 })
    expect(zoomed(view, 100, 0.5)).toEqual(WHOLE)
    expect(zoomed(WHOLE, 1e-9, 0.5).to - zoomed(WHOLE, 1e-9, 0.5).from).toBeCloseTo(0.002)
  })

  it('is moved no further than the ends', () => {
    const view = { from: 0.2, to: 0.4 }
    expect(panned(view, 0.5).from).toBeCloseTo(0.3)
    expect(panned(view, -9).from).toBe(0)
    expect(panned(view, 9).to).toBe(1)
  })

  it('moves only for what is out of sight', () => {
    const view = { from: 0.2, to: 0.4 }
    expect(showing(view, 0.3)).toBe(view)
    expect(showing(view, 0.9).from).toBeCloseTo(0.8)
  })

  it('is led along by what moves through it, and stays within the ends', () => {
    const view = { from: 0.2, to: 0.4 }
    expect(following(view, 0.3, false)).toBe(view)
    expect(following(view, 0.5, false).from).toBeCloseTo(0.33)
    expect(following(view, 0.1, false).from).toBeCloseTo(0.07)
    expect(following(view, 1, false).to).toBe(1)
    expect(following(view, 0, false).from).toBe(0)
    for (let offset = 0; offset <= 1; offset += 0.01) {
      const { from, to } = following(view, offset, false)
      expect(offset).toBeGreaterThanOrEqual(from)
      expect(offset).toBeLessThanOrEqual(to + 1e-9)
    }
  })

  it('is turned like a page where nothing may move', () => {
    const view = { from: 0.2, to: 0.4 }
    expect(following(view, 0.39, true).from).toBeCloseTo(0.2)
    expect(following(view, 0.41, true).from).toBeCloseTo(0.4)
    expect(following(view, 0.59, true).from).toBeCloseTo(0.4)
    expect(following(view, 0.1, true).from).toBe(0)
  })
})

it('thins hundreds into bins that lose none', () => {
  const offsets = Array.from({ length: 500 }, (_, index) => index / 500)
  const bins = binned(offsets, 0.01)
  expect(bins).toHaveLength(100)
  expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(500)
})
