import { describe, expect, it } from 'vitest'

import type { TopicFrame } from './frames'
import { EVERY_DELIVERY, Topics } from './topics'

function position(delivery: string) {
  return { type: 'position', topic: `delivery:${delivery}`, deliveryId: delivery, lat: 6.9, lng: 79.8, at: '2026-11-21T10:00:00Z' } as const
}

describe('positions', () => {
  it('go to the watchers of all deliveries, and each to the watchers of its delivery', () => {
    const topics = new Topics()
    const [all, one]: [TopicFrame[], TopicFrame[]] = [[], []]
    topics.add(EVERY_DELIVERY, (frame) => all.push(frame))
    topics.add('delivery:a', (frame) => one.push(frame))
    topics.dispatch(position('a'))
    topics.dispatch(position('b'))
    expect(all).toEqual([position('a'), position('b')])
    expect(one).toEqual([position('a')])
  })
})

describe('a topic that is watched already', () => {
  it('is confirmed to those who come later, too', () => {
    const topics = new Topics()
    const [first, later, latest]: [TopicFrame[], TopicFrame[], TopicFrame[]] = [[], [], []]
    expect(topics.add('me', (frame) => first.push(frame))).toBe(true)
    expect(topics.add('me', (frame) => later.push(frame))).toBe(false)
    topics.dispatch({ type: 'watching', topic: 'me' })
    topics.add('me', (frame) => latest.push(frame))
    for (const frames of [first, later, latest]) expect(frames).toEqual([{ type: 'watching', topic: 'me', again: false }])
  })
})

describe('a replay', () => {
  it('is delivered whole, whatever the sequences of its events', () => {
    const topics = new Topics()
    const received: TopicFrame[] = []
    topics.add('replay:r', (frame) => received.push(frame))
    const event = { id: 'e', type: 'tiffin.order.placed.v1', subject: 'o', time: '2026-11-21T10:00:00Z', data: {} }
    const frames = [
      { type: 'event', topic: 'replay:r', seq: 9, stream: 'ORDERS', subject: 'tiffin.order.o.placed', event },
      { type: 'event', topic: 'replay:r', seq: 3, stream: 'POSITIONS', subject: 'tiffin.position.d', event },
      { type: 'progress', topic: 'replay:r', state: 'done', total: 2, handled: 2, skipped: 0, failed: 0 },
    ] as const
    for (const frame of frames) topics.dispatch(frame)
    expect(received).toEqual(frames)
    expect(topics.watchFrame('replay:r')).toEqual({ type: 'watch', topic: 'replay:r' })
  })
})
