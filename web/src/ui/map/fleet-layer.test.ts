import { Map as LeafletMap } from 'leaflet'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { FleetLayer } from './fleet-layer'

const place = { lat: 6.91, lng: 79.86 }
let map: LeafletMap
let layer: FleetLayer

beforeEach(() => {
  map = new LeafletMap(document.body.appendChild(document.createElement('div')), { zoomAnimation: false }).setView(place, 15)
  layer = new FleetLayer().addTo(map)
  layer.setMembers([{ id: 'v1', ...place, kind: 0, names: { short: 'Kasun', full: 'ORD-AAAA1111 · Kasun' } }])
})

afterEach(() => {
  map.remove()
  document.body.replaceChildren()
})

/** Points at so many pixels right of the marker, which is in the middle of the map. */
function point(type: string, away: number) {
  map.fire(type, { containerPoint: map.latLngToContainerPoint(place).add([away, 0]) })
}

const hovered = () => document.querySelector<HTMLElement>('[data-testid=fleet]')?.dataset.hovered

it('names the marker under the pointer by its order and driver', () => {
  point('mousemove', 40)
  expect(hovered() ?? '').toBe('')
  point('mousemove', 5)
  expect(hovered()).toBe('ORD-AAAA1111 · Kasun')
  expect(map.getContainer().style.cursor).toBe('pointer')
  point('mouseout', 5)
  expect(hovered()).toBe('')
  expect(map.getContainer().style.cursor).toBe('')
})

it('picks the marker that is pressed, or none', () => {
  const picked = vi.fn()
  layer.onPick(picked)
  point('click', 5)
  expect(picked).toHaveBeenLastCalledWith('v1')
  point('click', 40)
  expect(picked).toHaveBeenLastCalledWith(null)
})
