import { delivery } from '@test/platform'
import { expect, it } from 'vitest'

import { driversDelivering, kinds, namesOf, placeOf, shiftsOf } from './deliveries-on-map'

it('spreads the deliveries of one driver, and leaves a lone one in its place', () => {
  const shifts = shiftsOf([
    { _id: 'a', driverId: 'busy' },
    { _id: 'b', driverId: 'busy' },
    { _id: 'c', driverId: 'busy' },
    { _id: 'd', driverId: 'other' },
  ])
  expect(shifts.get('d')).toEqual({ x: 0, y: -0 })
  const spread = ['a', 'b', 'c'].map((id) => shifts.get(id) ?? { x: 0, y: 0 })
  for (const [at, one] of spread.entries()) {
    expect(Math.hypot(one.x, one.y)).toBeGreaterThan(10)
    for (const other of spread.slice(at + 1)) expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(15)
  }
})

it('puts a delivery whose driver was not seen at its restaurant', () => {
  const known = delivery({ lat: 6.9, lng: 79.8, restaurantLat: 6.95, restaurantLng: 79.85 })
  expect(placeOf(known)).toEqual({ lat: 6.9, lng: 79.8 })
  expect(placeOf({ ...known, lat: 0, lng: 0 })).toEqual({ lat: 6.95, lng: 79.85 })
  expect(placeOf({ ...known, lat: 0, lng: 0, restaurantLat: 0, restaurantLng: 0 })).toBeNull()
})

it('counts a driver with several deliveries once', () => {
  expect(driversDelivering([{ driverId: 'a' }, { driverId: 'b' }, { driverId: 'a' }]).size).toBe(2)
})

it('names a marker by its driver, and by order and driver where it is picked', () => {
  const [first, second] = [delivery(), delivery({ _id: 'v2', orderId: 'ORD-BBBB2222' })]
  expect(namesOf([first, second])).toEqual({ short: 'Kasun', full: 'ORD-AAAA1111 +1 · Kasun' })
  expect(namesOf([{ ...first, driverName: null }])).toEqual({ short: 'ORD-AAAA1111', full: 'ORD-AAAA1111' })
})

it('colours those on the way apart from those that are picked up', () => {
  expect(kinds['on the way']).not.toBe(kinds['picked up'])
})
