import { DivIcon } from 'leaflet'
import { Marker, Tooltip } from 'react-leaflet'

import type { Coordinates } from '@/lib/geolocation'

import { isKnown } from './geo'
import classes from './map.module.css'

const drawings = {
  restaurant: '<path d="M8 4v6a2 2 0 0 0 4 0V4M10 12v8M17 20v-7c-2-.6-3-2.600-3-5 0-2.200 1.300-4 3-4z"/>',
  destination: '<path d="M4.500 11.500 12 5l7.500 6.500M6.500 10v8.500h11V10M10.200 18.500v-4.500h3.600v4.500"/>',
}

interface Props {
  kind: keyof typeof drawings
  place: Coordinates
  label: string
}

/** A pin's drawing. */
export function pinIcon(kind: keyof typeof drawings): DivIcon {
  return new DivIcon({
    className: classes.pin ?? '',
    iconSize: [34, 42],
    iconAnchor: [17, 41],
    tooltipAnchor: [0, -40],
    html:
      `<svg viewBox="0 0 34 42" width="34" height="42" data-kind="${kind}" aria-hidden="true">` +
      '<path class="drop" d="M17 41C11 33 2 26.500 2 16.500a15 15 0 0 1 30 0C32 26.500 23 33 17 41z"/>' +
      `<g class="drawing" transform="translate(5.500 5)">${drawings[kind]}</g></svg>`,
  })
}

/** A fixed place on the map; nothing where it is unknown. */
export function Pin({ kind, place, label }: Props) {
  if (!isKnown(place)) return null
  return (
    <Marker position={place} icon={pinIcon(kind)} title={label} alt={label} keyboard>
      <Tooltip direction="top">{label}</Tooltip>
    </Marker>
  )
}
