import { useReducedMotion } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'
import { useMap } from 'react-leaflet'

import type { Coordinates } from '@/lib/geolocation'

/** The zoom at which streets have names. */
const CLOSE = 15

/** Moves the map to a place, once for each `request`. */
export function GoTo({ place, request }: { place: Coordinates; request: number }) {
  const map = useMap()
  const reducedMotion = useReducedMotion()
  const go = useEffectEvent(() => {
    map.setView(place, Math.max(map.getZoom(), CLOSE), { animate: !reducedMotion })
  })
  useEffect(() => {
    go()
  }, [request])
  return null
}
