// Toasts and dialogs are drawn by code that is fetched when the first of them is wanted.

import { notificationsStore } from '@mantine/notifications'
import { useSyncExternalStore } from 'react'

let isRequested = false
let resolveReady: () => void = () => undefined
const ready = new Promise<void>((resolve) => {
  resolveReady = resolve
})
const listeners = new Set<() => void>()

function request() {
  if (isRequested) return
  isRequested = true
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// The store keeps the first toast until the code that draws it has loaded.
notificationsStore.subscribe(request)

/** Resolves when a dialog can be opened. */
export function dialogsReady(): Promise<void> {
  request()
  return ready
}

/** Called by the component that draws dialogs, once it does. */
export function markDialogsReady(): void {
  resolveReady()
}

/** True once something had to be drawn over the page. */
export function useOverlaysRequested(): boolean {
  return useSyncExternalStore(subscribe, () => isRequested)
}
