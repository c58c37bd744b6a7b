// The layout of the event graph, in CSS pixels.

import { durationText } from '@/features/operator/format'

import { type TimelineEvent, POSITIONS } from './history'
import { momentAt, offsetOf, type Scale, type ScaleKind, binned, type View } from './scale'
import { millisecondText, secondText } from './format-time'

export const LANE_HEIGHT = 66
export const AXIS_HEIGHT = 30
/** The padding on both sides, so that the first and the last event are whole. */
const PAD = 30
/** An event's radius. */
export const RADIUS = 6.5
/** The distance below which events of a lane are stacked. */
const CLOSE = 2 * RADIUS
/** An arrow's head at its widest: what lies behind and before the end of its path, and half its width. */
const HEAD = { behind: 12.6, before: 3.2, half: 7.4 }
/** The approximate width of a character. */
const LETTER = 6.1
/** The distance below which positions are drawn as one bar. */
const BIN = 6
/** The least distance between two ticks of the axis. */
const TICK = 92
const NICE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 108e5, 216e5, 432e5, 864e5]

interface Dot {
  one: TimelineEvent
  x: number
  y: number
  /** Its name; null without room for it. */
  label: { text: string; x: number; y: number } | null
}

interface Arrow {
  id: string
  cause: string
  path: string
  x: number
  y: number
  /** The time between the two events; null without room for it. */
  label: string | null
}

export interface Bar {
  x: number
  y: number
  height: number
  count: number
}

export interface GraphLayout {
  height: number
  dots: Dot[]
  arrows: Arrow[]
  bars: Bar[]
  ticks: { x: number; text: string }[]
}

interface GraphOptions {
  history: TimelineEvent[]
  lanes: string[]
  scale: Scale
  kind: ScaleKind
  offsets: Map<string, number>
  view: View
  width: number
  /** The events that are labelled first. */
  chain: Set<string>
}

/** The width of the column of lane names; 0 if there is no room for it. */
export function gutterOf(width: number): number {
  return width >= 700 ? 118 : 0
}

/** The pixels from the left at which an offset is drawn. */
export function xOf(offset: number, view: View, width: number): number {
  const left = gutterOf(width) + PAD
  return left + ((offset - view.from) / (view.to - view.from)) * (width - PAD - left)
}

/** The offset that is drawn there. */
export function offsetAtX(x: number, view: View, width: number): number {
  const left = gutterOf(width) + PAD
  return view.from + ((x - left) / (width - PAD - left)) * (view.to - view.from)
}

export function layoutGraph(wanted: GraphOptions): GraphLayout {
  const { history, lanes, offsets, view, width, chain } = wanted
  const x = (one: TimelineEvent) => xOf(offsets.get(one.id) ?? 0, view, width)
  const middle = (lane: string) => lanes.indexOf(lane) * LANE_HEIGHT + LANE_HEIGHT * 0.62
  const occupied = new OccupiedArea()
  const dots = stackDots(history.filter(({ lane }) => lane !== POSITIONS).map((one) => ({ one, x: x(one), y: middle(one.lane) })))
  const at = new Map(dots.map((dot) => [dot.one.id, dot]))
  for (const dot of dots) occupied.block(dot.x - RADIUS, dot.y - RADIUS, 2 * RADIUS, 2 * RADIUS)
  const left = gutterOf(width)
  if (left === 0) for (const index of lanes.keys()) occupied.block(0, index * LANE_HEIGHT, 120, 22)
  const first = <T extends { one: TimelineEvent }>(all: T[]) => [...all].sort((a, b) => Number(chain.has(b.one.id)) - Number(chain.has(a.one.id)))
  const lines = first(dots).flatMap(({ one, ...to }) => {
    const from = one.cause === null ? undefined : at.get(one.cause)
    if (from === undefined || one.cause === null || one.latency === null) return []
    if (Math.max(from.x, to.x) < left || Math.min(from.x, to.x) > width) return []
    return [{ id: one.id, cause: one.cause, latency: one.latency, ...arrowBetween(from, to) }]
  })
  for (const { tip } of lines) {
    const top = tip.isDown ? tip.y - HEAD.behind : tip.y - HEAD.before
    occupied.block(tip.x - HEAD.half, top, 2 * HEAD.half, HEAD.behind + HEAD.before)
  }
  const inSight = (dot: { x: number }) => dot.x > left - RADIUS && dot.x < width + RADIUS
  const labels = new Map(
    first(dots.filter(inSight)).map((dot) => {
      const text = dot.one.name.split(' ').slice(1).join(' ')
      const half = (text.length * LETTER) / 2
      const labelX = Math.min(Math.max(dot.x, left + half + 2), width - half - 2)
      // Above the event, below it, or above an arrow's head.
      const labelY = [dot.y - RADIUS - 5, dot.y + RADIUS + 13, dot.y - RADIUS - 19].find((y) => occupied.take(labelX - half, y - 10, 2 * half, 13))
      return [dot.one.id, labelY === undefined ? null : { text, x: labelX, y: labelY }] as const
    }),
  )
  const arrows = lines.map(({ id, cause, latency, path, x, y }): Arrow => {
    const text = durationText(latency / 1000)
    const half = (text.length * LETTER) / 2 + 3
    const fits = x > left + half && x < width - half && occupied.take(x - half, y - 7, 2 * half, 14)
    return { id, cause, path, x, y, label: fits ? text : null }
  })
  const positions = history.filter(({ lane }) => lane === POSITIONS).map(x)
  const bars = binned(positions, BIN).map(({ offset, count }): Bar => {
    const height = Math.min(LANE_HEIGHT * 0.5, 8 + 6 * Math.log2(count))
    return { x: offset, y: middle(POSITIONS) - height / 2, height, count }
  })
  return {
    height: lanes.length * LANE_HEIGHT + AXIS_HEIGHT,
    dots: dots.map((dot) => ({ ...dot, label: labels.get(dot.one.id) ?? null })),
    arrows,
    bars: bars.filter((bar) => bar.x > left && bar.x < width),
    ticks: ticksOf(wanted),
  }
}

/** The events with overlapping ones stacked above and below each other. */
function stackDots(dots: { one: TimelineEvent; x: number; y: number }[]) {
  const last = new Map<string, { x: number; row: number }>()
  return dots.map((dot) => {
    const before = last.get(dot.one.lane)
    const row = before !== undefined && dot.x - before.x < CLOSE ? (before.row + 1) % 3 : 0
    last.set(dot.one.lane, { x: dot.x, row })
    return { ...dot, y: dot.y + ([0, CLOSE, -CLOSE][row] ?? 0) }
  })
}

interface Line {
  path: string
  /** The place of its label. */
  x: number
  y: number
  /** The end, with the head. */
  tip: { x: number; y: number; isDown: boolean }
}

/** An arrow from a cause to its effect. */
function arrowBetween(from: { x: number; y: number }, to: { x: number; y: number }): Line {
  const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2]
  const n = (value: number) => value.toFixed(1)
  if (Math.abs(to.y - from.y) < LANE_HEIGHT / 2) {
    // Within one lane the arrow bends below it.
    const low = Math.max(from.y, to.y) + 20
    const tip = { x: to.x - 2, y: to.y + RADIUS + 2, isDown: false }
    return { path: `M${n(from.x)} ${n(from.y)} C${n(from.x)} ${n(low)} ${n(to.x)} ${n(low)} ${n(tip.x)} ${n(tip.y)}`, x, y: low - 4, tip }
  }
  const isDown = to.y > from.y
  const tip = { x: to.x, y: isDown ? to.y - RADIUS - 3 : to.y + RADIUS + 3, isDown }
  return { path: `M${n(from.x)} ${n(from.y)} C${n(from.x)} ${n(y)} ${n(to.x)} ${n(y)} ${n(tip.x)} ${n(tip.y)}`, x, y, tip }
}

function ticksOf({ scale, kind, view, width }: GraphOptions): { x: number; text: string }[] {
  const [from, to] = [momentAt(scale, offsetAtX(0, view, width)), momentAt(scale, offsetAtX(width, view, width))]
  const moments = kind === 'even' ? scale.map(({ at }) => at) : niceMoments(from, to, width)
  let lastX = Number.NEGATIVE_INFINITY
  const shown = moments.flatMap((t) => {
    const x = xOf(offsetOf(scale, t), view, width)
    if (x < gutterOf(width) + PAD / 2 || x > width - PAD / 2 || x - lastX < TICK) return []
    lastX = x
    return [{ x, t }]
  })
  // One form for all of them: two in one second need the milliseconds.
  const isFine = shown.some(({ t }, index) => t - (shown[index - 1]?.t ?? Number.NEGATIVE_INFINITY) < 1000)
  return shown.map(({ x, t }) => ({ x, text: isFine ? millisecondText(t) : secondText(t) }))
}

function niceMoments(from: number, to: number, width: number): number[] {
  const least = ((to - from) * TICK) / Math.max(1, width)
  const step = NICE.find((nice) => nice >= least) ?? 864e5
  const start = Math.ceil(from / step) * step
  return Array.from({ length: Math.max(0, Math.floor((to - start) / step) + 1) }, (_, index) => start + index * step)
}

/** The rectangles that are taken. */
class OccupiedArea {
  readonly #taken: { x: number; y: number; width: number; height: number }[] = []

  /** Takes a rectangle, whatever else is there. */
  block(x: number, y: number, width: number, height: number): void {
    this.#taken.push({ x, y, width, height })
  }

  /** Takes a rectangle unless part of it is taken; returns whether it was free. */
  take(x: number, y: number, width: number, height: number): boolean {
    const overlaps = this.#taken.some(
      (other) => x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height,
    )
    if (!overlaps) this.block(x, y, width, height)
    return !overlaps
  }
}
