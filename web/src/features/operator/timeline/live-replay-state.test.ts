import { delivered } from '@test/history'
import { expect, it } from 'vitest'

import type { EventView } from '@/api/generated/types.gen'
import type { TopicFrame } from '@/lib/live/frames'

import { type LiveReplayState, applyFrame, initialState } from './live-replay-state'
import { readHistory } from './history'
import { stateAfter } from './state'

const known = delivered()
const topic = 'replay:r'

function frame(view: EventView): TopicFrame {
  const { id, type, subject, time, ...event } = view.event
  return {
    type: 'event',
    topic,
    stream: view.stream,
    seq: view.seq,
    subject: view.subject,
    event: { ...event, id: String(id), type: String(type), subject: String(subject), time: String(time), data: view.event.data },
  }
}

function play(frames: TopicFrame[]): LiveReplayState {
  return frames.reduce((before, one) => applyFrame(before, one, known), initialState)
}

it('comes to the same state as the history that it shows', () => {
  const arrived = play(known.map(frame))
  expect(stateAfter(readHistory(arrived.shown))).toEqual(stateAfter(readHistory(known)))
  expect(arrived).toMatchObject({ state: 'running', isFilled: false })
})

it('fills in what was missed while the connection was lost', () => {
  const [before, later] = [known.slice(0, 3), known.slice(9)]
  const arrived = play([...before.map(frame), { type: 'watching', topic, again: true }, ...later.map(frame)])
  expect(arrived.shown).toEqual(known)
  expect(arrived.isFilled).toBe(true)
})

it('knows its end, and why it may not be watched', () => {
  const progress = { type: 'progress', topic, state: 'done', total: 1, handled: 1, skipped: 0, failed: 0 } as const
  expect(play([progress]).state).toBe('done')
  const reason = { code: 'live.not-allowed', message: 'Not for you.' }
  expect(play([{ type: 'refused', topic, ...reason }]).refusal).toEqual(reason)
  expect(play([{ type: 'watching', topic, again: false }])).toBe(initialState)
})
