import type { Standing, StreamView } from '@/api/generated/types.gen'

/** The dead letters' own stream holds no events. */
const LETTERS = 'DEADLETTERS'
/** Where drivers are is kept out of the event log. */
const POSITIONS = 'POSITIONS'

/** The streams that the event log has; `chosen` among them, whatever it is. */
export function streamsOf(standing: Standing | undefined, chosen: string): string[] {
  const names = streamNames(standing).filter((name) => name !== POSITIONS)
  return chosen === '' || names.includes(chosen) ? names : [...names, chosen]
}

/** The streams that events lie in. */
export function streamNames(standing: Standing | undefined): string[] {
  return standing?.streams.map((stream) => stream.name).filter((name) => name !== LETTERS) ?? []
}

/** The consumers of a stream that can be handed events again: those that keep the event log only copy it. */
export function replayable(stream: StreamView | undefined): string[] {
  return stream?.consumers.map((consumer) => consumer.name).filter((name) => !name.startsWith('operator_')) ?? []
}
