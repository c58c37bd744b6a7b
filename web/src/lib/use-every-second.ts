import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const each of listeners) each()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The answer of `read`, once a second: for values that change too often or by themselves. */
export function useEverySecond<T>(read: () => T): T {
  return useSyncExternalStore(subscribe, read)
}

/** The time in milliseconds, to the second. */
export function useNow(): number {
  return useEverySecond(() => Math.floor(Date.now() / 1000) * 1000)
}
