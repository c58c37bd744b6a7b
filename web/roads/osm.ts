import { type City, metre, type Point } from '@/ui/map/city-data'

import type { Network, Road } from './network'

/** The roads as they are drawn, in metres from the map's middle. */
export function roadsOf({ box, shapes }: City): { roads: Road[]; place: (point: Point) => [lat: number, lng: number] } {
  const [x0, y0] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
  const scale = metre(y0)
  const roads = shapes.flatMap((shape) => {
    const line = shape.lines[0]
    if (shape.kind !== 'road' || shape.class === undefined || line === undefined) return []
    return [{ name: shape.name, class: shape.class, line: line.map(([x, y]): Point => [(x - x0) / scale, (y - y0) / scale]) }]
  })
  const place = ([x, y]: Point): [number, number] => {
    const lat = (Math.atan(Math.sinh(Math.PI * (1 - 2 * (y0 + y * scale)))) * 180) / Math.PI
    return [lat, (x0 + x * scale) * 360 - 180]
  }
  return { roads, place }
}

/** The tags of OpenStreetMap with which routers know who may use a road, and how fast. */
function tagsOf({ name, class: drawn }: Road): Record<string, string> {
  const named: Record<string, string> = name === undefined ? {} : { name }
  if (drawn === 'street') return { highway: 'residential', ...named }
  if (drawn === 'main') return { highway: 'primary', maxspeed: '50', ...named }
  // An expressway is for cars, and the drawing has one line for both directions.
  if (name?.endsWith('Expressway')) return { highway: 'motorway', maxspeed: '80', oneway: 'no', ...named }
  return { highway: 'trunk', maxspeed: '50', bicycle: 'yes', ...named }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** The network as an OSM XML file. */
export function osmFile({ nodes, ways }: Network, place: (point: Point) => [lat: number, lng: number]): string {
  const lines = nodes.map((point, i) => {
    const [lat, lng] = place(point)
    return `<node id="${i + 1}" lat="${lat.toFixed(6)}" lon="${lng.toFixed(6)}"/>`
  })
  for (const [i, way] of ways.entries()) {
    lines.push(`<way id="${i + 1}">`, way.nodes.map((id) => `<nd ref="${id + 1}"/>`).join(''))
    for (const [key, value] of Object.entries(tagsOf(way.road))) lines.push(`<tag k="${key}" v="${escaped(value)}"/>`)
    lines.push('</way>')
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<osm version="0.6" generator="web/roads">\n${lines.join('\n')}\n</osm>\n`
}
