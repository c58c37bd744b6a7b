// The offset of a moment on the graph, from 0 at the first event to 1 at the last.

import { countUpTo, type TimelineEvent, POSITIONS } from './history'

/** `even` gives every event room, `true` gives every second the same. */
export type ScaleKind = 'even' | 'true'

/** Moments and their offsets, both rising. */
export type Scale = { at: number; offset: number }[]

/** The length of a rest, in milliseconds, above which its width grows with its logarithm. */
const SHORT = 1_000

/** The scale of a history, and the offset of each of its events. */
export function scaleOf(history: TimelineEvent[], kind: ScaleKind): { scale: Scale; offsets: Map<string, number> } {
  const knots = history.filter(({ lane }) => lane !== POSITIONS)
  const [from, to] = [history[0]?.at ?? 0, history.at(-1)?.at ?? 0]
  // Positions may begin or end a history.
  const moments = [{ id: '', at: from }, ...knots, { id: '', at: to }]
  const steps = moments.map(({ at }, index) => {
    const before = moments[index - 1]
    if (before === undefined) return 0
    if (kind === 'true') return at - before.at
    const between = countUpTo(history, at, 'at') - countUpTo(history, before.at, 'at')
    const isEnd = index === 1 || index === moments.length - 1
    return isEnd && at === before.at ? 0 : 1 + Math.log10(1 + (at - before.at) / SHORT) / 2 + Math.log2(1 + Math.max(0, between - 1)) / 2
  })
  const whole = steps.reduce((sum, step) => sum + step, 0)
  const offsets = new Map<string, number>()
  let sum = 0
  const scale = moments.map(({ id, at }, index) => {
    sum += steps[index] ?? 0
    const offset = whole === 0 ? 0.5 : sum / whole
    offsets.set(id, offset)
    return { at, offset }
  })
  for (const { id, lane, at } of history) if (lane === POSITIONS) offsets.set(id, offsetOf(scale, at))
  return { scale, offsets }
}

/** The offset of a moment. */
export function offsetOf(scale: Scale, t: number): number {
  return along(scale, t, 'at', 'offset')
}

/** The moment of an offset. */
export function momentAt(scale: Scale, offset: number): number {
  return along(scale, offset, 'offset', 'at')
}

function along(scale: Scale, x: number, from: 'at' | 'offset', to: 'at' | 'offset'): number {
  const count = countUpTo(scale, x, from)
  const [before, next] = [scale[count - 1], scale[count]]
  if (before === undefined) return scale[0]?.[to] ?? 0
  if (next === undefined) return before[to]
  return before[to] + ((next[to] - before[to]) * (x - before[from])) / (next[from] - before[from])
}

/** The part of the scale that is in sight. */
export interface View {
  from: number
  to: number
}

export const WHOLE: View = { from: 0, to: 1 }
/** The narrowest view. */
const NARROWEST = 0.002

/** A view `factor` times as wide, in which `around` stays where it is. */
export function zoomed({ from, to }: View, factor: number, around: number): View {
  const width = Math.min(1, Math.max(NARROWEST, (to - from) * factor))
  const share = (around - from) / (to - from)
  return inside(around - width * share, width)
}

/** A view moved by a share of its width. */
export function panned({ from, to }: View, share: number): View {
  return inside(from + (to - from) * share, to - from)
}

/** A view of the same width with an offset in sight; the view itself if it has the offset. */
export function showing(view: View, offset: number): View {
  const margin = (view.to - view.from) * 0.08
  if (offset >= view.from + margin && offset <= view.to - margin) return view
  return inside(offset - (view.to - view.from) / 2, view.to - view.from)
}

/** The distance from an edge at which a playhead moves its picture along. */
const EDGE = 0.15

/**
 * A view of the same width that follows a moving offset: it scrolls along, or with reduced motion turns like
 * a page.
 */
export function following(view: View, offset: number, isStill: boolean): View {
  const width = view.to - view.from
  if (isStill) return inside(view.from + Math.floor((offset - view.from) / width) * width, width)
  const edge = width * EDGE
  if (offset > view.to - edge) return inside(offset + edge - width, width)
  return offset < view.from + edge ? inside(offset - edge, width) : view
}

function inside(from: number, width: number): View {
  const start = Math.min(Math.max(0, from), 1 - width)
  return { from: start, to: start + width }
}

/** Offsets grouped into bins of a width: the middle and the count of each bin. */
export function binned(offsets: number[], width: number): { offset: number; count: number }[] {
  const bins = new Map<number, number>()
  for (const offset of offsets) {
    const bin = Math.floor(offset / width)
    bins.set(bin, (bins.get(bin) ?? 0) + 1)
  }
  return [...bins].sort(([a], [b]) => a - b).map(([bin, count]) => ({ offset: (bin + 0.5) * width, count }))
}
