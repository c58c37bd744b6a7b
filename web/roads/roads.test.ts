import { readFileSync, writeFileSync } from 'node:fs'

import { expect, it, vi } from 'vitest'

import { loadCity, type Point } from '@/ui/map/city-data'

import { nearest, segments, simplified } from './lines'
import { components, networkOf, type Road } from './network'
import { osmFile, roadsOf } from './osm'

const FILE = '../platform/tiffin/demo/colombo.osm'

vi.stubGlobal('fetch', () => Promise.resolve(new Response(readFileSync('public/map/colombo.json'))))
const { roads, place } = roadsOf(await loadCity())
vi.unstubAllGlobals()
const network = networkOf(roads)

const street = (...line: Point[]): Road => ({ name: undefined, class: 'street', line })
const awayFrom = (point: Point, line: Point[]) => Math.min(...segments(line).map(([from, to]) => nearest(point, from, to).distance))

it('the committed file has the roads of the drawn map', () => {
  const file = osmFile(network, place)
  if (process.env.TIFFIN_GENERATE !== undefined) writeFileSync(FILE, file)
  expect(readFileSync(FILE, 'utf8') === file, `${FILE} is not up to date: run cargo xtask generate`).toBe(true)
})

it('every road leads to every other, as it is drawn', () => {
  expect(network.ways).toHaveLength(roads.length)
  expect(components(network)).toHaveLength(1)
  for (const { road, nodes } of network.ways) {
    const way = nodes.flatMap((id) => (network.nodes[id] === undefined ? [] : [network.nodes[id]]))
    // A bend beside a crossing is moved there.
    for (const point of road.line) expect(awayFrom(point, way)).toBeLessThan(1.5)
    // A link leads from an end to another road.
    expect(way.filter((point) => awayFrom(point, road.line) > 1.5).length).toBeLessThanOrEqual(2)
  }
})

it('roads that cross share a node', () => {
  const { nodes, ways } = networkOf([street([0, 0], [100, 0]), street([40, -50], [40, 50])])
  expect(ways.map((way) => way.nodes.map((id) => nodes[id]))).toEqual([
    [[0, 0], [40, 0], [100, 0]],
    [[40, -50], [40, 0], [40, 50]],
  ])
})

it('an end near a road leads onto it, and one that is far or that crosses it does not', () => {
  const main = street([0, 0], [100, 0])
  const places = (end: Point) => {
    const { nodes, ways } = networkOf([main, street([40, 90], end)])
    return ways[1]?.nodes.map((id) => nodes[id])
  }
  expect(places([40, 20])).toEqual([[40, 90], [40, 20], [40, 0]])
  expect(places([40, 31])).toEqual([[40, 90], [40, 31]])
  expect(places([40, -20])).toEqual([[40, 90], [40, 0], [40, -20]])
  expect(components(networkOf([main, street([40, 90], [40, 31])]))).toHaveLength(2)
})

it('what is left out of a line is within the tolerance', () => {
  const line: Point[] = Array.from({ length: 90 }, (_, i) => [i, 20 * Math.sin(i / 15)])
  const short = simplified(line, 0.5)
  expect(short.length).toBeLessThan(30)
  for (const point of line) expect(awayFrom(point, short)).toBeLessThanOrEqual(0.5)
})

it('a file has places, tags and names', () => {
  const named: Road[] = [
    { name: 'High "A" & B', class: 'main', line: [[0, 0], [100, 0]] },
    { name: 'North Expressway', class: 'trunk', line: [[0, 0], [0, 100]] },
  ]
  const file = osmFile(networkOf(named), place)
  expect(file).toContain('<tag k="name" v="High &quot;A&quot; &amp; B"/>')
  for (const tag of ['k="highway" v="primary"', 'k="highway" v="motorway"', 'k="oneway" v="no"']) expect(file).toContain(`<tag ${tag}/>`)
  expect(file.match(/<node id="\d+" lat="6\.\d{6}" lon="79\.\d{6}"\/>/g)).toHaveLength(3)
})
