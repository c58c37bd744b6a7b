import type { EventView } from '@/api/generated/types.gen'

import { readEvent, textOf } from './envelope'

export type Ending = 'done' | 'cancelled' | 'failed'

/** An operation, read from its events. */
export interface Operation {
  stream: string
  seq: number
  time: string
  actor: string
  verb: string
  target: string
  reason: string
  /** Its end; null while it is unknown. */
  ending: Ending | null
  /** The error of a failed one. */
  error: string | null
}

const ENDINGS: Record<string, Ending> = {
  'tiffin.operation.done.v1': 'done',
  'tiffin.operation.cancelled.v1': 'cancelled',
  'tiffin.operation.failed.v1': 'failed',
}

/** The operations of events, in the order of the events: newest first. */
export function operationsOf(events: EventView[]): Operation[] {
  const endings = new Map<string, Pick<Operation, 'ending' | 'error'>>()
  return events.flatMap(({ stream, seq, event }) => {
    const { type, subject, time, actor, data } = readEvent(event)
    const ending = ENDINGS[type]
    if (ending !== undefined) endings.set(subject, { ending, error: textOf(data, 'error') ?? null })
    if (type !== 'tiffin.operation.begun.v1') return []
    const word = (field: string) => textOf(data, field) ?? ''
    return [
      {
        stream,
        seq,
        time,
        actor,
        verb: word('verb'),
        target: word('target'),
        reason: word('reason'),
        ...(endings.get(subject) ?? { ending: null, error: null }),
      },
    ]
  })
}
