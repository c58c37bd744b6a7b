import type { Standing, StreamView } from '@/api/generated/types.gen'

/** The dead letters' own stream holds no events. */
const DEAD_LETTERS = 'DEADLETTERS'
/** Drivers' positions are kept out of the event log. */
const POSITIONS = 'POSITIONS'

/** True if the event log holds a stream's events, so that they can be searched. */
export function isLogged(stream: string): boolean {
  return stream !== POSITIONS && stream !== DEAD_LETTERS
}

/** The streams of the event log, and `chosen` even if it is none of them. */
export function streamsOf(overview: Standing | undefined, chosen: string): string[] {
  const names = streamNames(overview).filter(isLogged)
  return chosen === '' || names.includes(chosen) ? names : [...names, chosen]
}

/** The streams with events. */
export function streamNames(overview: Standing | undefined): string[] {
  return overview?.streams.map((stream) => stream.name).filter((name) => name !== DEAD_LETTERS) ?? []
}

/** The consumers of a stream that take replays. */
export function replayable(stream: StreamView | undefined): string[] {
  return stream?.consumers.filter((consumer) => consumer.takesReplays).map((consumer) => consumer.name) ?? []
}
