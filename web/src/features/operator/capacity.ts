import type { Capacity } from '@/api/generated/types.gen'

const DAY = 86_400_000
const UNITS = [
  { days: 365, text: 'operator.fullInYears', from: 730 },
  { days: 30.44, text: 'operator.fullInMonths', from: 91 },
  { days: 7, text: 'operator.fullInWeeks', from: 14 },
  { days: 1, text: 'operator.fullInDays', from: 0 },
] as const

/** The days before something is full from which on it needs attention, and needs it now. */
const SOON = 14
const VERY_SOON = 2

export type Urgency = 'full' | 'verySoon' | 'soon' | 'later'

/** The time until something is full, in the largest unit that says enough. */
export function fullIn(fullAt: string, now: number) {
  const days = (Date.parse(fullAt) - now) / DAY
  const unit = UNITS.find(({ from }) => days >= from) ?? UNITS[3]
  return { text: unit.text, count: Math.max(0, unit.text === 'operator.fullInDays' ? Math.floor(days) : Math.round(days / unit.days)) }
}

export function urgencyOf(fullAt: string | null | undefined, now: number): Urgency {
  if (fullAt == null) return 'later'
  const days = (Date.parse(fullAt) - now) / DAY
  if (days <= 0) return 'full'
  if (days < VERY_SOON) return 'verySoon'
  return days < SOON ? 'soon' : 'later'
}

/** True if the platform is too young for paces: younger than a day. */
export function isTooYoung({ window }: Pick<Capacity, 'window'>): boolean {
  return window.days < 1
}

/** Something that fills up: a stream, or the broker's disk without a name. */
export interface FillingUp {
  stream: string | null
  fullAt: string
  percent: number | null
}

/** Streams and the disk that fill up at their pace, the first one first. */
export function fillingUp({ streams, broker }: Pick<Capacity, 'streams' | 'broker'>): FillingUp[] {
  const all = [...streams.map((one) => ({ ...one, stream: one.name })), { ...broker, stream: null }]
  return all
    .flatMap(({ stream, fullAt, percent }) => (fullAt == null ? [] : [{ stream, fullAt, percent: percent ?? null }]))
    .sort((one, other) => Date.parse(one.fullAt) - Date.parse(other.fullAt))
}
