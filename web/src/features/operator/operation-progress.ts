import * as v from 'valibot'

import type { ReplayView } from '@/api/generated/types.gen'

const table = v.object({
  table: v.string(),
  equal: v.boolean(),
  servingRows: v.number(),
  rebuiltRows: v.number(),
  servingHash: v.nullish(v.unknown()),
  rebuiltHash: v.nullish(v.unknown()),
})
const family = v.object({ subjects: v.string(), there: v.number(), missing: v.number() })
const snapshot = v.object({
  positions: v.optional(v.record(v.string(), v.number()), {}),
  takenAt: v.optional(v.string(), ''),
  hash: v.optional(v.string(), ''),
  /** The reason why none was used. */
  reason: v.optional(v.string()),
})
const report = v.object({
  error: v.optional(v.string()),
  equal: v.optional(v.boolean()),
  tables: v.optional(v.array(table), []),
  failures: v.optional(v.array(v.string()), []),
  republished: v.optional(v.array(family), []),
  snapshot: v.optional(snapshot),
})

/** The result of an operation that took time. */
type Report = v.InferOutput<typeof report>
export type ComparedTable = v.InferOutput<typeof table>
export type Snapshot = v.InferOutput<typeof snapshot>

/** Reads a report; what can't be read is empty. */
export function readReport(of: ReplayView): Report {
  const read = v.safeParse(report, of.report ?? {})
  return read.success ? read.output : v.parse(report, {})
}

const REPLAYS = ['replay', 'live']

export function isReplay({ verb }: ReplayView): boolean {
  return REPLAYS.includes(verb)
}

export function isUnderWay({ state }: ReplayView): boolean {
  return state === 'running' || state === 'paused'
}

/** Shares of the whole, in percent: took effect, had before, failed. */
export function shares({ total, handled, skipped, failed, state }: ReplayView): [handled: number, skipped: number, failed: number] {
  const whole = Math.max(total, handled + skipped + failed)
  // An operation without events is complete once it is done.
  if (whole === 0) return [state === 'done' ? 100 : 0, 0, 0]
  const share = (part: number) => (part / whole) * 100
  return [share(handled), share(skipped), share(failed)]
}

const selection = v.object({
  from: v.number(),
  to: v.number(),
  filter: v.nullish(v.string()),
})
const spec = v.object({ selection: v.optional(selection), rate: v.nullish(v.number()), speed: v.nullish(v.number()) })

/** The request. */
export function readSpec(of: ReplayView) {
  const read = v.safeParse(spec, of.spec)
  if (read.success && read.output.selection !== undefined) return read.output
  // A replay to browsers has its window one level up.
  const flat = v.safeParse(selection, of.spec)
  return { ...(read.success ? read.output : {}), ...(flat.success ? { selection: flat.output } : {}) }
}
