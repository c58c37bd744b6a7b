import { useComputedColorScheme } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { useEffect, useEffectEvent, useState } from 'react'
import { useMap } from 'react-leaflet'

import type { FleetFeed } from './fleet-feed'
import { FleetLayer, type Member } from './fleet-layer'
import { fleetColours } from './palette'

interface Props {
  members: Member[]
  feed: FleetFeed
  picked: string | null
  onPick: (id: string | null) => void
}

/** Drivers on one canvas; the picked one is brought into view. */
export function FleetMarkers({ members, feed, picked, onPick }: Props) {
  const map = useMap()
  const still = useReducedMotion()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const [layer] = useState(() => new FleetLayer())
  const pick = useEffectEvent(onPick)

  useEffect(() => {
    layer.addTo(map)
    layer.listen((id) => {
      pick(id)
    })
    const leave = feed.subscribe((id, fix) => {
      layer.move(id, fix)
    })
    return () => {
      leave()
      layer.remove()
    }
  }, [layer, map, feed])

  useEffect(() => {
    layer.look(fleetColours[scheme], still)
  }, [layer, scheme, still])

  useEffect(() => {
    layer.show(members)
  }, [layer, members])

  useEffect(() => {
    layer.pick(picked)
    const place = picked === null ? null : layer.placeOf(picked)
    if (place !== null && !map.getBounds().contains(place)) map.panTo(place, { animate: !still })
  }, [layer, map, picked, still])

  return null
}
