import { useEffect } from 'react'

import { useAfterFirstPaint } from '@/lib/render-timing'

/** A repeated visit: the service worker has the fonts, so they need no download. */
const ARE_FONTS_CACHED = 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null

/** Fetches our fonts once the page can be read in the system's: on a first visit they would hold the app itself up. */
export function Fonts() {
  const painted = useAfterFirstPaint()
  const wanted = ARE_FONTS_CACHED || painted
  useEffect(() => {
    // A failure leaves the page in the system's fonts.
    if (wanted) import('@/ui/fonts').catch(() => undefined)
  }, [wanted])
  return null
}
