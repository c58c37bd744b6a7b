import type { Marker as LeafletMarker } from 'leaflet'
import { useMemo } from 'react'
import { Marker, useMap } from 'react-leaflet'

import type { Coordinates } from '@/lib/geolocation'

import { pinIcon } from './Pin'

/** The step of an arrow key, in CSS pixels; with Shift, several times as far. */
const STEP = 8
const LEAP = 5

const directions: Record<string, [x: number, y: number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}

interface Props {
  place: Coordinates
  label: string
  onMove: (place: Coordinates) => void
}

/** A pin that is dragged, or moved with the arrow keys while it has the focus. */
export function MovablePin({ place, label, onMove }: Props) {
  const map = useMap()
  const icon = useMemo(() => pinIcon('destination'), [])
  const onKey = (event: KeyboardEvent) => {
    const direction = directions[event.key]
    if (direction === undefined) return
    // The map would move as well.
    event.preventDefault()
    event.stopPropagation()
    const step = STEP * (event.shiftKey ? LEAP : 1)
    const point = map.latLngToContainerPoint(place).add([direction[0] * step, direction[1] * step])
    const { lat, lng } = map.containerPointToLatLng(point)
    onMove({ lat, lng })
  }
  const introduce = (marker: LeafletMarker) => {
    const element = marker.getElement()
    element?.setAttribute('aria-label', label)
    element?.setAttribute('data-testid', 'pin')
  }
  return (
    <Marker
      position={place}
      icon={icon}
      draggable
      keyboard
      title={label}
      alt={label}
      eventHandlers={{
        add: ({ target }: { target: LeafletMarker }) => {
          introduce(target)
        },
        dragend: ({ target }: { target: LeafletMarker }) => {
          const { lat, lng } = target.getLatLng()
          onMove({ lat, lng })
        },
        keydown: ({ originalEvent }) => {
          onKey(originalEvent)
        },
      }}
    />
  )
}
