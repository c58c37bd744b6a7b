import { expect, it } from 'vitest'

import helsinki from '@test/helsinki.json'
import type { Coordinates } from '@/lib/geolocation'
import { distance } from '@/ui/map/geo'

import { Motion } from './motion'
import { moved } from './plane'
import { Route } from './route'

const START = Date.parse('2026-11-21T10:00:00Z')

/** A ride: it slows down at bends, and waits at two crossings. */
function ride(route: Route): number[] {
  const alongs = [0]
  let speed = 0
  for (let second = 1, along = 0; along < route.length; second += 1) {
    const bend = Math.abs(((route.headingAt(along + 15) - route.headingAt(along) + 540) % 360) - 180)
    const waits = [60, 61, 62, 63, 64, 65, 66, 150, 151, 152, 153].includes(second)
    const wanted = waits ? 0 : bend > 40 ? 3 : 6 + Math.sin(second / 17)
    speed += Math.max(-2.5, Math.min(1.2, wanted - speed))
    along = Math.min(route.length, along + speed)
    alongs.push(along)
  }
  return alongs
}

function wrong(place: Coordinates, second: number): Coordinates {
  return moved(place, 4 * Math.sin(second * 2.4), 4 * Math.cos(second * 3.1))
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const routes = Object.entries(helsinki).flatMap(([name, points]) => (typeof points === 'string' ? [] : [{ name, points }]))

it.each(routes.flatMap((route) => [5, 15].map((interval) => ({ ...route, interval }))))(
  'is near the vehicle and on the street: $name, every $interval s',
  ({ points, interval }) => {
    const places = points.map(([lat = 0, lng = 0]) => ({ lat, lng }))
    const route = Route.of(places)
    if (route === null) throw new Error('no line')
    const alongs = ride(route)
    const motion = new Motion()
    motion.setRoute(places, START)
    const [errors, rested]: [number[], number[]] = [[], []]
    let before: Coordinates | null = null
    for (const [second, along] of alongs.entries()) {
      const now = START + second * 1000
      const speed = along - (alongs[second - 1] ?? 0)
      const fix = { ...wrong(route.placeAt(along), second), speed, accuracy: 6, at: new Date(now - 3_600_000).toISOString() }
      if (second % interval === 0) expect(motion.push(fix, now + 200)).toBe('good')
      const moment = motion.at(now + 900)
      if (moment === null) throw new Error('no fix yet')
      const later = along + 0.9 * ((alongs[second + 1] ?? along) - along)
      errors.push(distance(moment.place, route.placeAt(later)))
      expect(moment.offRoute).toBe(false)
      expect(route.match(moment.place, { along: later, course: null }).away).toBeLessThan(5)
      if (speed > 1.5 && before !== null) rested.push(distance(before, moment.place) < 0.3 ? 1 : 0)
      before = moment.place
    }
    expect(median(errors)).toBeLessThan(interval === 5 ? 6 : 12)
    expect(rested.reduce((sum, one) => sum + one, 0) / rested.length).toBeLessThan(0.1)
  },
)
