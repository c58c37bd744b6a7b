import { driver, order, restaurant } from '@test/platform'
import { describe, expect, it } from 'vitest'

import type { Delivery } from '@/api/generated/types.gen'

import { candidates } from './near'

const shop = restaurant({ lat: 6.9147, lng: 79.8487 })

function delivery(driverId: string, over: Partial<Delivery>): Delivery {
  return {
    _id: 'v1',
    customerEmail: 'customer@tiffin.local',
    driverId,
    orderId: 'ORD-AAAA1111',
    orderName: 'Chicken Kottu',
    price: 350,
    qty: 1,
    total: 350,
    status: 'on the way',
    timestamp: '2026-11-21T10:00:00Z',
    lat: 0,
    lng: 0,
    destLat: 0,
    destLng: 0,
    restaurantLat: 0,
    restaurantLng: 0,
    ...over,
  }
}

function names(...given: Parameters<typeof candidates>) {
  return candidates(...given).map(({ driver: { firstName }, metres }) => [firstName, metres === null ? null : Math.round(metres / 100) * 100])
}

describe('who can bring an order', () => {
  const near = driver({ _id: 'd1', firstName: 'Near' })
  const far = driver({ _id: 'd2', firstName: 'Far' })
  const unseen = driver({ _id: 'd3', firstName: 'Unseen' })

  it('is who is free, the nearest first', () => {
    const deliveries = [
      delivery('d2', { lat: 6.9447, lng: 79.8487 }),
      delivery('d1', { status: 'delivered', destLat: 6.9157, destLng: 79.8487 }),
    ]
    expect(names(order(), [unseen, far, near, driver({ _id: 'd4', isAvailable: false })], deliveries, [shop])).toEqual([
      ['Near', 100],
      ['Far', 3300],
      ['Unseen', null],
    ])
  })

  it('is also who has it already, though not free any more', () => {
    const busy = driver({ _id: 'd9', firstName: 'Busy', isAvailable: false })
    expect(names(order({ assignedDriver: 'd9' }), [busy], [], [shop])).toEqual([['Busy', null]])
  })

  it('has no distance where the shop or the driver is unknown', () => {
    const deliveries = [delivery('d1', { lat: 6.9447, lng: 79.8487 })]
    expect(names(order(), [near], deliveries, [restaurant()])).toEqual([['Near', null]])
    expect(names(order(), [near], [delivery('d1', {})], [shop])).toEqual([['Near', null]])
  })
})
