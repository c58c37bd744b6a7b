import { use, useEffect, useEffectEvent, useSyncExternalStore } from 'react'

import type { LiveState, Upstream } from './client'
import { LiveContext } from './context'
import type { DeviceFix, TopicFrame } from './frames'

const silent = () => () => {}
const nothingSent: Upstream = { sent: 0, last: null, waiting: 0 }

/** The state of the live connection. */
export function useLiveState(): LiveState {
  const client = use(LiveContext)
  return useSyncExternalStore(client?.subscribe ?? silent, client?.state ?? connecting)
}

function connecting(): LiveState {
  return 'connecting'
}

/** Watches a topic while mounted; null watches nothing. Frames are hints: what they tell is asked for by HTTP. */
export function useTopic(topic: string | null, onFrame: (frame: TopicFrame) => void): void {
  const client = use(LiveContext)
  const handle = useEffectEvent(onFrame)
  useEffect(() => {
    if (client === null || topic === null) return
    return client.watch(topic, (frame) => handle(frame))
  }, [client, topic])
}

/** Sends this device's position. */
export function useSendFix(): (fix: DeviceFix) => void {
  const client = use(LiveContext)
  return (fix) => client?.sendFix(fix)
}

/** The state of the positions that this device sent. */
export function useUpstream(): Upstream {
  const client = use(LiveContext)
  return useSyncExternalStore(client?.subscribe ?? silent, client?.upstream ?? nothing)
}

function nothing(): Upstream {
  return nothingSent
}
