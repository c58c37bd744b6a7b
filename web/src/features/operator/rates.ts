import type { StreamView } from '@/api/generated/types.gen'

/** The progress of every stream at a moment, in milliseconds. */
export interface Sample {
  at: number
  lastSeq: Record<string, number>
}

const MAX_SAMPLES = 60
/** Rates are over this many samples, so that they don't jump. */
const RATE_SAMPLES = 5

/** The samples and one more; the oldest go. */
export function withSample(samples: Sample[], at: number, streams: StreamView[]): Sample[] {
  const lastSeq = Object.fromEntries(streams.map((stream) => [stream.name, stream.lastSeq]))
  return [...samples.filter((sample) => sample.at < at), { at, lastSeq }].slice(-MAX_SAMPLES)
}

/** A stream's recent messages a second; null until there are two samples. */
export function perSecond(samples: Sample[], stream: string): number | null {
  const [first, last] = [samples.slice(-RATE_SAMPLES)[0], samples.at(-1)]
  if (first === undefined || last === undefined || last.at === first.at) return null
  return growth(first, last, stream) / ((last.at - first.at) / 1000)
}

/** Messages a second of all streams together, from sample to sample. */
export function rateHistory(samples: Sample[]): number[] {
  return samples.slice(1).flatMap((sample, at) => {
    const before = samples[at]
    if (before === undefined) return []
    const sum = Object.keys(sample.lastSeq).reduce((sum, name) => sum + growth(before, sample, name), 0)
    return [sum / ((sample.at - before.at) / 1000)]
  })
}

function growth(before: Sample, after: Sample, stream: string): number {
  const now = after.lastSeq[stream] ?? 0
  // A stream that was emptied counts from its start.
  return Math.max(0, now - (before.lastSeq[stream] ?? now))
}
