// Toasts and dialogs are drawn by code that is fetched when the first of them is wanted.

import { notificationsStore } from '@mantine/notifications'
import { useSyncExternalStore } from 'react'

let wanted = false
let drawn: () => void = () => undefined
const ready = new Promise<void>((resolve) => {
  drawn = resolve
})
const listeners = new Set<() => void>()

function want() {
  if (wanted) return
  wanted = true
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// Kept by its store, the first toast waits for what draws it.
notificationsStore.subscribe(want)

/** Resolves when a dialog can be opened. */
export function dialogsReady(): Promise<void> {
  want()
  return ready
}

/** Said by what draws dialogs, once it does. */
export function dialogsDrawn(): void {
  drawn()
}

/** True if there is, or was, something to draw over the page. */
export function useOverlaysWanted(): boolean {
  return useSyncExternalStore(subscribe, () => wanted)
}
