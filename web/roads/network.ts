import type { Point, Shape } from '@/ui/map/city-data'

import { crossing, nearest, segments, simplified } from './lines'

/** A road of the drawing; its points are in metres. */
export interface Road {
  name: string | undefined
  class: NonNullable<Shape['class']>
  line: Point[]
}

/** Roads that meet at nodes. */
export interface Network {
  nodes: Point[]
  ways: { road: Road; nodes: number[] }[]
}

/** Metres by which a way may differ from the drawn line. */
const TOLERANCE = 0.5
/** An end this near to another road, in metres, leads onto it. */
const REACH = 30
/** Points this near to each other, in metres, are one node. */
const SAME = 1

/** A node to be put into a road: in its segment of that index, at that part of it. */
interface Cut {
  segment: number
  part: number
  at: Point
}

interface CutRoad {
  road: Road
  line: Point[]
  cuts: Cut[]
}

const distanceBetween = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1])

/** Joins roads where they cross, and where one ends at another. */
export function networkOf(drawn: Road[]): Network {
  const roads = drawn.map((road): CutRoad => ({ road, line: simplified(road.line, TOLERANCE), cuts: [] }))
  roads.forEach((one, i) => {
    for (const other of roads.slice(i + 1)) cross(one, other)
  })
  for (const one of roads) {
    const others = roads.filter((other) => other !== one)
    joinEnd(one, one.line[0], 0, -1, others)
    // Beyond its last point, so that the road keeps it.
    joinEnd(one, one.line.at(-1), one.line.length - 1, 1, others)
  }
  return joined(roads)
}

function cross(one: CutRoad, other: CutRoad) {
  segments(one.line).forEach((mine, segment) => {
    segments(other.line).forEach((theirs, otherSegment) => {
      const found = crossing(mine, theirs)
      if (found === undefined) return
      one.cuts.push({ segment, part: found.first, at: found.at })
      other.cuts.push({ segment: otherSegment, part: found.second, at: found.at })
    })
  })
}

/** Leads the end of a road onto the nearest of `others`, unless the road crosses that one beside its end. */
function joinEnd(one: CutRoad, end: Point | undefined, segment: number, part: number, others: CutRoad[]) {
  if (end === undefined) return
  const [best] = others
    .flatMap((other) => segments(other.line).map(([from, to], i) => ({ other, segment: i, ...nearest(end, from, to) })))
    .sort((a, b) => a.distance - b.distance)
  if (best === undefined || best.distance > REACH) return
  const isCrossed = one.cuts.some(({ at }) => distanceBetween(at, end) <= REACH && best.other.cuts.some((cut) => cut.at === at))
  if (isCrossed) return
  best.other.cuts.push(best)
  one.cuts.push({ segment, part, at: best.at })
}

/** Gives points that are near to each other one node. */
function joined(roads: CutRoad[]): Network {
  const nodes: Point[] = []
  const grid = new Map<string, number[]>()
  const cell = ([x, y]: Point) => [Math.floor(x / SAME), Math.floor(y / SAME)] as const
  const nodeAt = (point: Point): number => {
    const [column, row] = cell(point)
    const around = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].flatMap((dy) => grid.get(`${column + dx} ${row + dy}`) ?? []))
    const known = around.find((id) => distanceBetween(nodes[id] ?? point, point) <= SAME)
    if (known !== undefined) return known
    const id = nodes.push(point) - 1
    const key = `${column} ${row}`
    grid.set(key, [...(grid.get(key) ?? []), id])
    return id
  }
  // Crossings come first: a bend beside one becomes it.
  for (const { cuts } of roads) for (const { at } of cuts) nodeAt(at)
  const ways = roads.map(({ road, line, cuts }) => {
    const points = line.map((at, i) => ({ at, segment: i, part: 0 }))
    const all = [...points, ...cuts].sort((a, b) => a.segment + a.part - b.segment - b.part)
    const ids = all.map(({ at }) => nodeAt(at))
    return { road, nodes: ids.filter((id, i) => i === 0 || id !== ids[i - 1]) }
  })
  return { nodes, ways: ways.filter((way) => way.nodes.length > 1) }
}

/** The parts of a network that no way joins, as their node ids, the largest first. */
export function components({ ways }: Network): number[][] {
  const parent = new Map<number, number>()
  const top = (id: number): number => {
    let at = id
    for (let next = parent.get(at); next !== undefined; next = parent.get(at)) at = next
    return at
  }
  for (const { nodes } of ways) {
    for (const id of nodes) {
      const [a, b] = [top(nodes[0] ?? id), top(id)]
      if (a !== b) parent.set(b, a)
    }
  }
  const parts = new Map<number, Set<number>>()
  for (const id of ways.flatMap((way) => way.nodes)) parts.set(top(id), (parts.get(top(id)) ?? new Set()).add(id))
  return [...parts.values()].map((ids) => [...ids]).sort((a, b) => b.length - a.length)
}
