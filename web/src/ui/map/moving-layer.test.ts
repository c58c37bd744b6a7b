import { Map as LeafletMap, Polyline } from 'leaflet'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import type { Coordinates } from '@/lib/geolocation'

import { distance } from './geo'
import { MovingLayer } from './moving-layer'
import { RouteLayer } from './route-layer'

const START = Date.parse('2026-11-21T10:00:00Z')
const from = { lat: 6.91, lng: 79.86 }
const bend = { lat: 6.91, lng: 79.864 }
const street = [from, bend, { lat: 6.92, lng: 79.864 }]
const labels = { measured: 'Driver', guessing: 'Driver, estimated', lost: 'Driver, no position' }

let map: LeafletMap

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'requestAnimationFrame', 'cancelAnimationFrame', 'setTimeout', 'clearTimeout', 'Date'] })
  const element = document.createElement('div')
  document.body.append(element)
  map = new LeafletMap(element, { zoomAnimation: false }).setView(from, 15)
})

afterEach(() => {
  map.remove()
  document.body.replaceChildren()
  vi.useRealTimers()
})

function newLayer({ reducedMotion = false } = {}) {
  const drawn: { place: Coordinates; along: number | null }[] = []
  const onOffRoute = vi.fn()
  const onMove = (place: Coordinates, along: number | null) => { drawn.push({ place, along }) }
  const layer = new MovingLayer({ deliveryId: 'd1', labels, reducedMotion, className: 'driver', trailClassName: 'trail', onMove, onOffRoute })
  layer.addTo(map)
  layer.setRoute(street)
  return { layer, drawn, onOffRoute }
}

/** A position after so many seconds at 8 m/s on the first street, or elsewhere. */
function position(second: number, elsewhere: Partial<Coordinates> = {}) {
  const lng = from.lng + (second * 8) / (111_195 * Math.cos((from.lat * Math.PI) / 180))
  return { lat: from.lat, lng, ...elsewhere, speed: 8, heading: 90, at: new Date(START + second * 1000).toISOString() }
}

function send(layer: MovingLayer, positions: ReturnType<typeof position>[]) {
  for (const [index, one] of positions.entries()) {
    const before = positions[index - 1]
    if (before !== undefined) vi.advanceTimersByTime(Date.parse(one.at) - Date.parse(before.at))
    layer.push(one)
  }
  vi.advanceTimersByTime(100)
}

const mark = () => document.querySelector('[data-testid=driver-marker]')

it('moves in each frame between positions, and says how far it is', () => {
  const { layer, drawn } = newLayer()
  send(layer, [position(0), position(5), position(10)])
  drawn.length = 0
  vi.advanceTimersByTime(3000)
  expect(drawn.length).toBeGreaterThan(100)
  const { place, along } = drawn.at(-1) ?? { place: from, along: null }
  expect(distance(place, position(13.1))).toBeLessThan(1)
  expect(along).toBeCloseTo(13.1 * 8, 0)
})

it('says that it guesses, and that the driver is lost, and then draws no frames', () => {
  const { layer, drawn } = newLayer()
  send(layer, [position(0), position(5), position(10)])
  expect(mark()).toHaveAttribute('aria-label', 'Driver')
  vi.advanceTimersByTime(15_000)
  expect(mark()).toHaveAttribute('aria-label', 'Driver, estimated')
  expect(mark()).toHaveAttribute('data-state', 'guessing')
  vi.advanceTimersByTime(46_000)
  expect(mark()).toHaveAttribute('aria-label', 'Driver, no position')
  drawn.length = 0
  vi.advanceTimersByTime(60_000)
  expect(drawn).toHaveLength(0)
})

it('marks each position in the frame that draws it', () => {
  const marked = vi.spyOn(performance, 'mark')
  const { layer } = newLayer()
  send(layer, [position(0), position(5)])
  const details = marked.mock.calls.map(([name, options]) => ({ name, detail: options?.detail }))
  expect(details).toEqual([0, 5].map((second) => ({
    name: 'tiffin:position-painted',
    detail: { deliveryId: 'd1', at: position(second).at, lat: from.lat, lng: position(second).lng },
  })))
  expect(mark()).toHaveAttribute('data-at', position(5).at)
})

it('reports once that the driver has left the route', () => {
  const { layer, onOffRoute } = newLayer()
  const aside = { lat: 6.9115 }
  send(layer, [position(0), position(5)])
  expect(onOffRoute).not.toHaveBeenCalled()
  send(layer, [position(10, aside), position(15, aside), position(20, aside)])
  expect(onOffRoute).toHaveBeenCalledTimes(1)
})

it('moves with positions only where motion is reduced', () => {
  const { layer } = newLayer({ reducedMotion: true })
  send(layer, [position(0), position(5)])
  const { place } = layer
  vi.advanceTimersByTime(4000)
  expect(layer.place).toEqual(place)
})

it('a route is drawn in two parts, the driven one until the driver', () => {
  const layer = new RouteLayer(street, 'straight', { edge: 'edge', ahead: 'ahead', driven: 'driven', straight: 'straight' })
  layer.addTo(map)
  const lines = () => layer.getLayers().map((line) => (line instanceof Polyline ? line.getLatLngs().flat(2) : []))
  expect(lines().map((line) => line.length)).toEqual([0, 3, 3])
  layer.show(500)
  const [driven, edge, ahead] = lines()
  expect([driven?.length, edge?.length, ahead?.length]).toEqual([3, 2, 2])
  expect(driven?.at(-1)).toEqual(ahead?.[0])
  expect(distance(bend, ahead?.[0] ?? from)).toBeCloseTo(500 - distance(from, bend), 0)
  layer.show(null)
  expect(layer.getLayers()).toHaveLength(3)
  expect(document.querySelectorAll('path.straight')).toHaveLength(3)
})
