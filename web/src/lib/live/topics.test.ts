import { describe, expect, it } from 'vitest'

import type { TopicFrame } from './frames'
import { EVERY_DELIVERY, Topics } from './topics'

function position(delivery: string) {
  return { type: 'position', topic: `delivery:${delivery}`, deliveryId: delivery, lat: 6.9, lng: 79.8, at: '2026-11-21T10:00:00Z' } as const
}

describe('positions', () => {
  it('of every delivery are told to those who watch all of them, and each to those who watch that one', () => {
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
