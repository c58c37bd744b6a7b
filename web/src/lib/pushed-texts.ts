// The texts of pushed notifications, which the service worker shows while no page of the app is open.

import type { Messages } from '@lingui/core'

/** A cache that `worker/worker.js` reads. */
const WORKER_CACHE = 'tiffin-texts'

/** Leaves the texts of notifications, compiled and by code, to the service worker; none for a reader of English. */
export async function cacheForWorker(texts: Messages | undefined): Promise<void> {
  if (!('caches' in window)) return
  await caches.delete(WORKER_CACHE)
  if (texts === undefined) return
  const pushed = Object.entries(texts).filter(([code]) => code.startsWith('notification.'))
  const cache = await caches.open(WORKER_CACHE)
  await cache.put('/texts.json', Response.json(Object.fromEntries(pushed)))
}
