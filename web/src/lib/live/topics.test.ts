import { describe, expect, it, vi } from 'vitest'

import { Topics } from './topics'

describe('a topic that is watched', () => {
  it('is told of each answer to a watch, and of none to a sign of life', () => {
    const topics = new Topics()
    const told = vi.fn()
    topics.add('me', told)
    const answer = () => {
      topics.dispatch({ type: 'watching', topic: 'me' })
    }
    answer()
    expect(told).toHaveBeenLastCalledWith({ type: 'watching', topic: 'me', again: false })
    expect(topics.probeFrame()).toEqual({ type: 'watch', topic: 'me' })
    answer()
    expect(told).toHaveBeenCalledTimes(1)
    // The bridge itself says so when something may have been missed.
    answer()
    expect(told).toHaveBeenLastCalledWith({ type: 'watching', topic: 'me', again: true })
  })

  it('is told of the first answer on a new socket, though the old one owed an answer', () => {
    const topics = new Topics()
    const told = vi.fn()
    topics.add('me', told)
    topics.probeFrame()
    topics.forgetProbes()
    topics.dispatch({ type: 'watching', topic: 'me' })
    expect(told).toHaveBeenCalledOnce()
  })
})
