import * as v from 'valibot'

import { smoothLine } from './smooth-line'

const point = v.tuple([v.number(), v.number()])

const properties = v.object({
  kind: v.picklist(['land', 'quay', 'mole', 'sand', 'water', 'river', 'canal', 'park', 'rail', 'road', 'place', 'landmark', 'sea']),
  name: v.optional(v.string()),
  class: v.optional(v.picklist(['trunk', 'main', 'street'])),
  /** Metres, of rivers and canals. */
  width: v.optional(v.number()),
  rank: v.optional(v.number()),
  icon: v.optional(v.string()),
  wet: v.optional(v.boolean()),
})

const geometry = v.variant('type', [
  v.object({ type: v.literal('Point'), coordinates: point }),
  v.object({ type: v.literal('LineString'), coordinates: v.array(point) }),
  v.object({ type: v.literal('Polygon'), coordinates: v.array(v.array(point)) }),
])

const collection = v.object({
  credit: v.string(),
  bbox: v.tuple([v.number(), v.number(), v.number(), v.number()]),
  features: v.array(v.object({ properties, geometry })),
})

/** A point of the web mercator square, 0 to 1 from the north-west. */
export type Point = [x: number, y: number]

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export type Shape = v.InferOutput<typeof properties> & {
  /** Rings of an area, the one line, or the one point. */
  lines: Point[][]
  box: Box
}

/** The base map, ready to be drawn at any zoom. */
export interface City {
  credit: string
  box: Box
  shapes: Shape[]
}

const AROUND = 40_075_016

/** The share of the mercator square that a metre takes at a latitude given as `y`. */
export function metre(y: number): number {
  return Math.cosh(Math.PI * (1 - 2 * y)) / AROUND
}

function project([lng, lat]: [number, number]): Point {
  const sin = Math.sin((lat * Math.PI) / 180)
  return [(lng + 180) / 360, 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)]
}

function boxOf(points: Point[]): Box {
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}

function linesOf(shape: v.InferOutput<typeof geometry>): Point[][] {
  if (shape.type === 'Point') return [[project(shape.coordinates)]]
  if (shape.type === 'LineString') return [smoothLine(shape.coordinates.map(project))]
  return shape.coordinates.map((ring) => smoothLine(ring.map(project)))
}

function cityOf({ credit, bbox, features }: v.InferOutput<typeof collection>): City {
  const [west, south, east, north] = bbox
  const shapes = features.map(({ properties: given, geometry: shape }) => {
    const lines = linesOf(shape)
    return { ...given, lines, box: boxOf(lines.flat()) }
  })
  return { credit, box: boxOf([project([west, north]), project([east, south])]), shapes }
}

async function pause() {
  await new Promise((resolve) => setTimeout(resolve))
}

let loading: Promise<City> | undefined

/** Fetches the base map, once. */
export function loadCity(): Promise<City> {
  loading ??= fetch('/map/colombo.json')
    .then(async (answer) => {
      if (!answer.ok) throw new Error(`The base map answered ${answer.status}.`)
      const json: unknown = await answer.json()
      // Much to read: in between the browser can answer a touch.
      await pause()
      const read = v.parse(collection, json)
      await pause()
      const city = cityOf(read)
      await pause()
      return city
    })
    .catch((cause: unknown) => {
      loading = undefined
      throw cause
    })
  return loading
}
