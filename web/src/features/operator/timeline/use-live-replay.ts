import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { getReplay } from '@/api/generated/sdk.gen'
import type { EventView } from '@/api/generated/types.gen'
import { beginReplay, cancelOperation } from '@/api/operator'
import { useTopic } from '@/lib/live/hooks'

import { applyFrame, type LiveReplayState, initialState } from './live-replay-state'
import { type TimelineEvent, readHistory } from './history'

interface WatchedReplay {
  id: string
  reason: string
  speed: number
  total: number
}

export interface LiveReplay {
  replay: WatchedReplay | null
  replayState: LiveReplayState
  /** The events that have arrived; null while no replay is watched. */
  history: TimelineEvent[] | null
  isRunning: boolean
  begin: (reason: string, speed: number) => Promise<void>
  stop: () => void
  /** The reason why it could not be stopped. */
  failure: Error | null
  /** Goes back to the whole history. */
  leave: () => void
}

/** A replay of an order's history over the live socket, shown as it arrives. */
export function useLiveReplay(order: string, known: EventView[]): LiveReplay {
  const [replay, setReplay] = useState<WatchedReplay | null>(null)
  const [replayState, setReplayState] = useState<LiveReplayState>(initialState)
  const isRunning = replay !== null && replayState.refusal === null && (replayState.state === 'running' || replayState.state === 'paused')

  const refreshState = async (id: string) => {
    const { state } = await getReplay({ path: { id } })
    if (state !== 'running') setReplayState((before) => ({ ...before, shown: known, isGap: false, state: stateOf(state) }))
  }

  useTopic(isRunning ? `replay:${replay.id}` : null, (frame) => {
    setReplayState((before) => applyFrame(before, frame, known))
    // Its end may have been missed, too.
    if (frame.type === 'watching' && frame.again && replay !== null) void refreshState(replay.id)
  })
  const begin = async (reason: string, speed: number) => {
    const begun = await beginReplay({ order, reason, target: { live: true }, speed })
    setReplayState(initialState)
    setReplay({ id: begun.replayId, reason, speed, total: begun.matched })
  }
  const stopping = useMutation({
    // The reason of the start also serves for the stop.
    mutationFn: ({ id, reason }: WatchedReplay) => cancelOperation(id, reason),
    onSuccess: () => {
      setReplayState((before) => ({ ...before, state: 'cancelled' }))
    },
  })
  const history = useMemo(() => (replay === null ? null : readHistory(replayState.shown)), [replay, replayState.shown])
  return {
    replay,
    replayState,
    history,
    isRunning,
    begin,
    stop: () => {
      if (replay !== null) stopping.mutate(replay)
    },
    failure: stopping.error,
    leave: () => {
      setReplay(null)
    },
  }
}

function stateOf(state: string): LiveReplayState['state'] {
  return state === 'done' || state === 'cancelled' ? state : 'failed'
}
