import { useSyncExternalStore } from 'react'

import { backoff } from './live/backoff'

/** `offline`: the device has no network; `away`: it has, but the platform does not answer. */
type Connectivity = 'reached' | 'offline' | 'away'

let state: Connectivity = 'reached'
let failures = 0
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Records whether a call reached the platform, whatever the answer. Probes repeat until one does. */
export function reportReachable(isReachable: boolean): void {
  if (isReachable) {
    failures = 0
    clearTimeout(timer)
    timer = undefined
    setState('reached')
    return
  }
  setState(navigator.onLine ? 'away' : 'offline')
  scheduleProbe()
}

function setState(next: Connectivity) {
  if (state === next) return
  state = next
  for (const listener of listeners) listener()
}

function scheduleProbe() {
  if (timer !== undefined) return
  failures += 1
  timer = setTimeout(() => void probe(), backoff(failures))
}

/** Makes the smallest call there is. */
async function probe() {
  timer = undefined
  try {
    const answer = await fetch('/healthz', { method: 'HEAD', cache: 'no-store' })
    reportReachable(answer.status < 502)
  } catch {
    reportReachable(false)
  }
}

window.addEventListener('offline', () => {
  reportReachable(false)
})
window.addEventListener('online', () => {
  if (state !== 'reached') void probe()
})

export const connectivity = {
  get: () => state,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

/** The state of the connection to the platform. */
export function useConnectivity(): Connectivity {
  return useSyncExternalStore(connectivity.subscribe, connectivity.get)
}
