import { describe, expect, it } from 'vitest'

import helsinki from '@test/helsinki.json'
import { distance } from '@/ui/map/geo'

import { Route } from './route'

const street = (points: number[][]) => points.map(([lat = 0, lng = 0]) => ({ lat, lng }))
const anywhere = { along: null, course: null }

function routeOf(points: number[][]): Route {
  const route = Route.of(street(points))
  if (route === null) throw new Error('no line')
  return route
}

describe('a route', () => {
  it('is as long as its parts, and knows the place at each metre', () => {
    const points = street(helsinki.punavuoriToKallio)
    const route = routeOf(helsinki.punavuoriToKallio)
    const length = points.reduce((sum, point, at) => sum + distance(points[at - 1] ?? point, point), 0)
    expect(Math.abs(route.length - length)).toBeLessThan(length / 500)
    expect(distance(route.placeAt(0), points[0] ?? { lat: 0, lng: 0 })).toBeLessThan(0.1)
    expect(distance(route.placeAt(1e6), points.at(-1) ?? { lat: 0, lng: 0 })).toBeLessThan(0.1)
    expect(distance(route.placeAt(500), route.placeAt(510))).toBeLessThanOrEqual(10.1)
  })

  it('heads where the street goes', () => {
    const route = routeOf([[60.17, 24.93], [60.18, 24.93], [60.18, 24.95]])
    expect(route.headingAt(300)).toBeCloseTo(0, 0)
    expect(route.headingAt(route.length)).toBeCloseTo(90, 0)
  })

  it('finds the nearest place, and its distance', () => {
    const route = routeOf([[60.17, 24.93], [60.18, 24.93]])
    const match = route.match({ lat: 60.175, lng: 24.9302 }, anywhere)
    expect(match.along).toBeCloseTo(556, 0)
    expect(match.away).toBeCloseTo(11, 0)
  })

  it('is where it is expected on a street that it takes twice', () => {
    const route = routeOf(helsinki.thereAndBack)
    const there = 300
    const back = route.match(route.placeAt(there), { along: route.length - there, course: null })
    expect(route.match(route.placeAt(there), { along: there - 60, course: null }).along).toBeCloseTo(there, 0)
    expect(back.along).toBeGreaterThan(route.length / 2)
  })

  it('goes the way that the vehicle heads', () => {
    const route = routeOf([[60.17, 24.93], [60.171, 24.93], [60.17, 24.93001]])
    const near = { lat: 60.1709, lng: 24.930005 }
    expect(route.match(near, { along: 105, course: 0 }).along).toBeLessThan(111)
    expect(route.match(near, { along: 105, course: 180 }).along).toBeGreaterThan(111)
  })

  it('divides at a place', () => {
    const route = routeOf([[60.17, 24.93], [60.18, 24.93], [60.18, 24.95]])
    const [driven, ahead] = route.split(500)
    expect(driven).toHaveLength(2)
    expect(ahead).toHaveLength(3)
    expect(driven.at(-1)).toEqual(ahead[0])
  })

  it('needs two places', () => {
    expect(Route.of([])).toBeNull()
    expect(Route.of(street([[60, 24], [60, 24]]))).toBeNull()
    expect(Route.of(street([[60, 24], [Number.NaN, 24]]))).toBeNull()
  })
})
