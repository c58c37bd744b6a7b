import type { Bound, ReplayRequest } from '@/api/generated/types.gen'
import type { Problem } from '@/api/problem'
import type { TextId } from '@/lib/texts'

/** An end of a window: that of the stream, a sequence in it, or a moment. */
export interface BoundDraft {
  kind: 'end' | 'sequence' | 'time'
  /** A number, or a moment as RFC 3339 has it. */
  value: string
}

/** The fields of the form. */
export interface ReplayDraft {
  stream: string
  consumer: string
  from: BoundDraft
  to: BoundDraft
  /** Subjects; '' for all. */
  filter: string
  /** Events a second; '' for no limit. */
  rate: string
  reason: string
}

export type Field = keyof ReplayDraft | 'confirm'
type Faults = Partial<Record<Field, TextId>>

const END: BoundDraft = { kind: 'end', value: '' }
/** The largest number of events that a replay takes without confirmation. */
export const CONFIRM_ABOVE = 1_000

export function newReplay(stream: string, consumer: string): ReplayDraft {
  return { stream, consumer, from: END, to: END, filter: '', rate: '', reason: '' }
}

/** The faults of a request; the service is not asked before they are corrected. A dry run needs no reason. */
export function faultsOf(wanted: ReplayDraft, isDryRun: boolean): Faults {
  const faults: Faults = {}
  if (wanted.stream === '') faults.stream = 'operator.streamNeeded'
  if (wanted.consumer === '') faults.consumer = 'operator.consumerNeeded'
  for (const name of ['from', 'to'] as const) {
    const { kind, value } = wanted[name]
    if (kind === 'sequence' && !isCount(value)) faults[name] = 'operator.notASequence'
    if (kind === 'time' && Number.isNaN(Date.parse(value))) faults[name] = 'operator.notATime'
  }
  if (faults.from === undefined && faults.to === undefined && isBackwards(wanted)) faults.to = 'operator.windowBackwards'
  if (wanted.rate.trim() !== '' && !isCount(wanted.rate)) faults.rate = 'operator.notARate'
  if (!isDryRun && wanted.reason.trim() === '') faults.reason = 'operator.reasonNeeded'
  return faults
}

function isCount(text: string): boolean {
  return /^\d{1,15}$/.test(text.trim()) && Number(text) > 0
}

function isBackwards({ from, to }: ReplayDraft): boolean {
  if (from.kind === 'sequence' && to.kind === 'sequence') return Number(from.value) > Number(to.value)
  return from.kind === 'time' && to.kind === 'time' && Date.parse(from.value) > Date.parse(to.value)
}

/** The replay as the service takes it. */
export function requestOf(wanted: ReplayDraft, how: { dryRun: true } | { confirm: number | null }): ReplayRequest {
  const toBound = ({ kind, value }: BoundDraft): Bound | null => (kind === 'end' ? null : kind === 'sequence' ? Number(value) : value)
  return {
    stream: wanted.stream,
    target: { consumer: wanted.consumer },
    from: toBound(wanted.from),
    to: toBound(wanted.to),
    filter: wanted.filter.trim() === '' ? null : wanted.filter.trim(),
    rate: wanted.rate.trim() === '' ? null : Number(wanted.rate),
    reason: wanted.reason.trim(),
    ...how,
  }
}

const FIELDS: Field[] = ['stream', 'consumer', 'from', 'to', 'filter', 'rate', 'reason', 'confirm']

/** The field that a refusal is about; null if it is about none of them. */
export function fieldOf(refusal: Problem, wanted: ReplayDraft): Field | null {
  const named = FIELDS.find((field) => field in refusal.fields)
  if (named !== undefined) return named
  if (refusal.status === 404) return refusal.code === 'operator.consumer-not-found' ? 'consumer' : 'stream'
  // The consumer is busy, or takes no such events.
  if (refusal.status === 409) return 'consumer'
  if (refusal.status !== 422) return null
  if (refusal.code === 'operator.unconfirmed') return 'confirm'
  if (refusal.code === 'operator.consumer-reads-other') return 'consumer'
  // Nothing matches.
  return wanted.filter.trim() === '' ? 'to' : 'filter'
}
