// A moment's place on the graph, from 0 at the first event to 1 at the last.

import { countUpTo, type TimelineEvent, POSITIONS } from './history'

/** `even` gives every event room, `true` gives every second the same. */
export type ScaleKind = 'even' | 'true'

/** Moments and their places, both rising. */
export type Scale = { at: number; place: number }[]

/** Rests of this many milliseconds and more are the wider the longer they were, but ever less so. */
const SHORT = 1_000

/** The scale of a history, and the place of each of its events. */
export function scaleOf(history: TimelineEvent[], kind: ScaleKind): { scale: Scale; places: Map<string, number> } {
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
  const places = new Map<string, number>()
  let sum = 0
  const scale = moments.map(({ id, at }, index) => {
    sum += steps[index] ?? 0
    const place = whole === 0 ? 0.5 : sum / whole
    places.set(id, place)
    return { at, place }
  })
  for (const { id, lane, at } of history) if (lane === POSITIONS) places.set(id, placeOf(scale, at))
  return { scale, places }
}

/** The place of a moment. */
export function placeOf(scale: Scale, t: number): number {
  return along(scale, t, 'at', 'place')
}

/** The moment of a place. */
export function momentAt(scale: Scale, place: number): number {
  return along(scale, place, 'place', 'at')
}

function along(scale: Scale, x: number, from: 'at' | 'place', to: 'at' | 'place'): number {
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

/** A view as wide, with a place in sight; the same where it is. */
export function showing(view: View, place: number): View {
  const margin = (view.to - view.from) * 0.08
  if (place >= view.from + margin && place <= view.to - margin) return view
  return inside(place - (view.to - view.from) / 2, view.to - view.from)
}

/** The distance from an edge at which a playhead moves its picture along. */
const EDGE = 0.15

/**
 * A view as wide, with a moving place in sight: it is led along, or where nothing may move turned like
 * a page.
 */
export function following(view: View, place: number, isStill: boolean): View {
  const width = view.to - view.from
  if (isStill) return inside(view.from + Math.floor((place - view.from) / width) * width, width)
  const edge = width * EDGE
  if (place > view.to - edge) return inside(place + edge - width, width)
  return place < view.from + edge ? inside(place - edge, width) : view
}

function inside(from: number, width: number): View {
  const start = Math.min(Math.max(0, from), 1 - width)
  return { from: start, to: start + width }
}

/** Many things thinned into bins of a width: where each bin is, and how many it holds. */
export function thinned(places: number[], width: number): { place: number; count: number }[] {
  const bins = new Map<number, number>()
  for (const place of places) {
    const bin = Math.floor(place / width)
    bins.set(bin, (bins.get(bin) ?? 0) + 1)
  }
  return [...bins].sort(([a], [b]) => a - b).map(([bin, count]) => ({ place: (bin + 0.5) * width, count }))
}
