import { useSyncExternalStore } from 'react'

import { backoff } from './live/backoff'

/** `offline`: the device has no network; `away`: it has, but the platform does not answer. */
export type Reach = 'reached' | 'offline' | 'away'

let state: Reach = 'reached'
let failures = 0
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Says whether a call reached the platform, whatever it was answered. While none does, it is tried again and again. */
export function reached(was: boolean): void {
  if (was) {
    failures = 0
    clearTimeout(timer)
    timer = undefined
    become('reached')
    return
  }
  become(navigator.onLine ? 'away' : 'offline')
  tryLater()
}

function become(next: Reach) {
  if (state === next) return
  state = next
  for (const listener of listeners) listener()
}

function tryLater() {
  if (timer !== undefined) return
  failures += 1
  timer = setTimeout(() => void knock(), backoff(failures))
}

/** Asks for the smallest thing that there is. */
async function knock() {
  timer = undefined
  try {
    const answer = await fetch('/healthz', { method: 'HEAD', cache: 'no-store' })
    reached(answer.status < 502)
  } catch {
    reached(false)
  }
}

window.addEventListener('offline', () => {
  reached(false)
})
window.addEventListener('online', () => {
  if (state !== 'reached') void knock()
})

export const reach = {
  get: () => state,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

/** True if the platform can be reached. */
export function useReach(): Reach {
  return useSyncExternalStore(reach.subscribe, reach.get)
}
