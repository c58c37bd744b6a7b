import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener)
  return () => {
    document.removeEventListener('fullscreenchange', listener)
  }
}

/** True while the board fills the screen, for a kitchen that reads it from two metres. */
export function useKitchenMode(): boolean {
  return useSyncExternalStore(subscribe, () => document.fullscreenElement instanceof Element)
}

/** False on phones that show no page alone. */
export function canFillScreen(): boolean {
  return document.fullscreenEnabled
}

/** Fills the screen with the page, or ends that. Dialogs and messages lie above the board either way. */
export async function toggleKitchenMode(): Promise<void> {
  if (document.fullscreenElement === null) await document.documentElement.requestFullscreen()
  else await document.exitFullscreen()
}
