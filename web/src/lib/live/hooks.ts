import { use, useEffect, useEffectEvent, useSyncExternalStore } from 'react'

import type { LiveState } from './client'
import { LiveContext } from './context'
import type { DevicePosition, TopicFrame } from './frames'

const noSubscription = () => () => {}

/** The state of the live connection. */
export function useLiveState(): LiveState {
  const client = use(LiveContext)
  return useSyncExternalStore(client?.subscribe ?? noSubscription, client?.state ?? connecting)
}

function connecting(): LiveState {
  return 'connecting'
}

/** Watches a topic while mounted; null watches nothing. Frames are hints: the data is fetched by HTTP. */
export function useTopic(topic: string | null, onFrame: (frame: TopicFrame) => void): void {
  const client = use(LiveContext)
  const handle = useEffectEvent(onFrame)
  useEffect(() => {
    if (client === null || topic === null) return
    return client.watch(topic, (frame) => handle(frame))
  }, [client, topic])
}

/** Sends this device's position, and returns false if it can't; null until the connection's code is loaded. */
export function useSendPosition(): ((position: DevicePosition) => boolean) | null {
  const client = use(LiveContext)
  return client && ((position) => client.sendPosition(position))
}
