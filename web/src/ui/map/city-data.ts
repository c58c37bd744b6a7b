import { z } from 'zod'

import { smooth } from './smooth'

const point = z.tuple([z.number(), z.number()])

const properties = z.object({
  kind: z.enum(['land', 'quay', 'mole', 'sand', 'water', 'river', 'canal', 'park', 'rail', 'road', 'place', 'landmark', 'sea']),
  name: z.string().optional(),
  class: z.enum(['trunk', 'main', 'street']).optional(),
  /** Metres, of rivers and canals. */
  width: z.number().optional(),
  rank: z.number().optional(),
  icon: z.string().optional(),
  wet: z.boolean().optional(),
})

const geometry = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Point'), coordinates: point }),
  z.object({ type: z.literal('LineString'), coordinates: z.array(point) }),
  z.object({ type: z.literal('Polygon'), coordinates: z.array(z.array(point)) }),
])

const collection = z.object({
  credit: z.string(),
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  features: z.array(z.object({ properties, geometry })),
})

/** A point of the web mercator square, 0 to 1 from the north-west. */
export type Point = [x: number, y: number]

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export type Shape = z.infer<typeof properties> & {
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

function linesOf(shape: z.infer<typeof geometry>): Point[][] {
  if (shape.type === 'Point') return [[project(shape.coordinates)]]
  if (shape.type === 'LineString') return [smooth(shape.coordinates.map(project))]
  return shape.coordinates.map((ring) => smooth(ring.map(project)))
}

export function readCity(json: unknown): City {
  const { credit, bbox, features } = collection.parse(json)
  const [west, south, east, north] = bbox
  const shapes = features.map(({ properties: given, geometry: shape }) => {
    const lines = linesOf(shape)
    return { ...given, lines, box: boxOf(lines.flat()) }
  })
  return { credit, box: boxOf([project([west, north]), project([east, south])]), shapes }
}

let loading: Promise<City> | undefined

/** Fetches the base map, once. */
export function loadCity(): Promise<City> {
  loading ??= fetch('/map/colombo.json')
    .then(async (answer) => {
      if (!answer.ok) throw new Error(`The base map answered ${answer.status}.`)
      return readCity(await answer.json())
    })
    .catch((cause: unknown) => {
      loading = undefined
      throw cause
    })
  return loading
}
