// An order's history, read from its events, as the timeline draws and plays it.

import type { EventView } from '@/api/generated/types.gen'
import { type Envelope, nameOf, readEvent } from '@/features/operator/envelope'

/** The aggregates of the lanes, from the top; others come below them. */
const ORDER = ['order', 'payment', 'delivery', 'position', 'notification']
/** Lane of the driver's positions, which are too many to be drawn one by one. */
export const POSITIONS = 'position'

/** One event of the history. */
export interface TimelineEvent {
  id: string
  /** The kind of its aggregate: `order`, `payment` … */
  lane: string
  /** `order.placed`, without its version. */
  kind: string
  /** The name for people: `order placed`. */
  name: string
  /** The time in milliseconds with fractions. */
  at: number
  /** The event that led to it, where that is of this history. */
  cause: string | null
  /** Milliseconds from its cause. */
  latency: number | null
  event: Envelope
  view: EventView
}

/** The events of an order in the order in which they happened; of one moment, the effect after its cause. */
export function readHistory(views: EventView[]): TimelineEvent[] {
  const read = views.map(timelineEvent)
  const created = new Map(read.filter(({ kind }) => kind === 'notification.created').map((it) => [it.event.subject, it.id]))
  const known = new Map(read.map((it) => [it.id, it]))
  const causeOf = ({ event, kind }: TimelineEvent): string | null => {
    const named = event.causationid ?? null
    // A notification that a call asked for names no event. Its creation is the cause of its sending.
    const cause = named ?? (/^notification\.(sent|failed)$/.test(kind) ? created.get(event.subject) : undefined)
    return cause !== undefined && cause !== null && known.has(cause) ? cause : null
  }
  const linked = read.map((it) => {
    const cause = causeOf(it)
    const from = cause === null ? undefined : known.get(cause)
    // Two services' clocks may be a little apart.
    return from === undefined ? it : { ...it, cause, latency: Math.max(0, it.at - from.at) }
  })
  const depths = depthsOf(linked)
  const depth = (it: TimelineEvent) => depths.get(it.id) ?? 0
  const sequence = (a: TimelineEvent, b: TimelineEvent) => (a.view.stream === b.view.stream ? a.view.seq - b.view.seq : 0)
  return linked.sort((a, b) => a.at - b.at || depth(a) - depth(b) || sequence(a, b))
}

function timelineEvent(view: EventView): TimelineEvent {
  const event = readEvent(view.event)
  const kind = event.type.replace(/^tiffin\./, '').replace(/\.v\d+$/, '')
  const [lane = ''] = kind.split('.')
  return { id: event.id, lane, kind, name: nameOf(event.type), at: timeOf(event, lane), cause: null, latency: null, event, view }
}

/** A position is of the moment in which it was measured, which a device's clock can't put after its arrival. */
function timeOf({ time, data }: Envelope, lane: string): number {
  const at = momentOf(time)
  const measured = lane === POSITIONS && typeof data === 'object' && data !== null ? momentOf(Reflect.get(data, 'at')) : Number.NaN
  return measured < at ? measured : at
}

/** A time in milliseconds; what is finer than those is kept as their fraction. */
function momentOf(time: unknown): number {
  if (typeof time !== 'string') return Number.NaN
  const [, finer = ''] = /\.\d{3}(\d+)/.exec(time) ?? []
  return Date.parse(time) + Number(`0.${finer}0`)
}

/** The number of causes before each event. */
function depthsOf(history: TimelineEvent[]): Map<string, number> {
  const causes = new Map(history.map(({ id, cause }) => [id, cause]))
  const depths = new Map<string, number>()
  for (const { id } of history) {
    const seen = new Set<string>()
    let at: string | null = id
    while (at !== null && !seen.has(at)) {
      seen.add(at)
      at = causes.get(at) ?? null
    }
    depths.set(id, seen.size)
  }
  return depths
}

/** The lanes of a history, from the top. */
export function lanesOf(history: TimelineEvent[]): string[] {
  const lanes = [...new Set(history.map(({ lane }) => lane))]
  const rank = (lane: string) => (ORDER.includes(lane) ? ORDER.indexOf(lane) : ORDER.length)
  return lanes.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
}

/** The ids of an event, its causes and its effects. */
export function chainOf(history: TimelineEvent[], id: string): Set<string> {
  const causes = new Map(history.map(({ id, cause }) => [id, cause]))
  const chain = new Set<string>()
  for (let at: string | null = id; at !== null && !chain.has(at); at = causes.get(at) ?? null) chain.add(at)
  const effects = [id]
  // The list grows while the loop goes through it.
  for (const effect of effects) {
    effects.push(...history.filter(({ id, cause }) => cause === effect && !effects.includes(id)).map(({ id }) => id))
  }
  return new Set([...chain, ...effects])
}

/** The number of a sorted row's values at `x` or before. */
export function countUpTo<K extends string>(row: readonly { readonly [key in K]: number }[], x: number, key: K): number {
  let [low, high] = [0, row.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const item = row[middle]
    if (item !== undefined && item[key] <= x) low = middle + 1
    else high = middle
  }
  return low
}
