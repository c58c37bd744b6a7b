import { useComputedColorScheme } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { useEffect, useEffectEvent, useState } from 'react'
import { useMap } from 'react-leaflet'

import type { FleetPositionSource } from './fleet-position-source'
import { FleetLayer, type Member } from './fleet-layer'
import { fleetColours } from './palette'

interface Props {
  members: Member[]
  positionSource: FleetPositionSource
  picked: string | null
  onPick: (id: string | null) => void
}

/** Drivers on one canvas; the picked one is brought into view. */
export function FleetMarkers({ members, positionSource, picked, onPick }: Props) {
  const map = useMap()
  const reducedMotion = useReducedMotion()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const [layer] = useState(() => new FleetLayer())
  const pick = useEffectEvent(onPick)

  useEffect(() => {
    layer.addTo(map)
    layer.onPick((id) => {
      pick(id)
    })
    const unsubscribe = positionSource.subscribe((id, position) => {
      layer.move(id, position)
    })
    return () => {
      unsubscribe()
      layer.remove()
    }
  }, [layer, map, positionSource])

  useEffect(() => {
    layer.setStyle(fleetColours[scheme], reducedMotion)
  }, [layer, scheme, reducedMotion])

  useEffect(() => {
    layer.setMembers(members)
  }, [layer, members])

  useEffect(() => {
    layer.select(picked)
    const place = picked === null ? null : layer.placeOf(picked)
    if (place !== null && !map.getBounds().contains(place)) map.panTo(place, { animate: !reducedMotion })
  }, [layer, map, picked, reducedMotion])

  return null
}
