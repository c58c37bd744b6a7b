// The state of a live replay, from its frames.

import type { EventView } from '@/api/generated/types.gen'
import { eventKey } from '@/features/operator/event-key'
import type { ProgressFrame, TopicFrame } from '@/lib/live/frames'

export interface LiveReplayState {
  shown: EventView[]
  state: ProgressFrame['state']
  /** True after a lost connection until the next event shows which ones were missed. */
  isGap: boolean
  /** True if events were filled in. */
  isFilled: boolean
  /** The reason why it can't be watched. */
  refusal: { code?: string | undefined; message: string } | null
}

export const initialState: LiveReplayState = { shown: [], state: 'running', isGap: false, isFilled: false, refusal: null }

/** The events that a frame adds. After a gap, missed ones are taken from the known history. */
export function applyFrame(before: LiveReplayState, frame: TopicFrame, known: EventView[]): LiveReplayState {
  switch (frame.type) {
    case 'event': {
      const { stream, subject, seq, event } = frame
      if (stream === undefined || subject === undefined || typeof seq !== 'number') return before
      const view = { stream, subject, seq, event }
      const missed = before.isGap ? missedBefore(view, known, before.shown) : []
      return { ...before, shown: [...before.shown, ...missed, view], isGap: false, isFilled: before.isFilled || missed.length > 0 }
    }
    case 'progress':
      return { ...before, state: frame.state }
    case 'watching':
      return frame.again ? { ...before, isGap: true } : before
    case 'refused':
      return { ...before, refusal: { code: frame.code, message: frame.message } }
    default:
      return before
  }
}

/** The events of the history before an event that were not shown. */
function missedBefore(view: EventView, known: EventView[], shown: EventView[]): EventView[] {
  const keys = new Set([...shown, view].map(eventKey))
  const end = known.findIndex((one) => eventKey(one) === eventKey(view))
  return known.slice(0, Math.max(0, end)).filter((one) => !keys.has(eventKey(one)))
}
