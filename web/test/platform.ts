import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'

import type { Delivery, Driver, Item, Order, Payment, Restaurant, User } from '@/api/generated/types.gen'

/** The services' double for the tests of a file: nothing answers that a test did not ask for. */
export function platform() {
  const server = setupServer()
  beforeAll(() => {
    server.listen({ onUnhandledRequest: 'error' })
  })
  afterEach(() => {
    server.resetHandlers()
  })
  afterAll(() => {
    server.close()
  })
  return server
}

/** An answer as every service refuses. */
export function problem(status: number, message: string, more: Record<string, unknown> = {}) {
  return HttpResponse.json(
    { type: 'about:blank', title: message, status, detail: message, message, error: message, ...more },
    { status },
  )
}

export function list<T>(path: string, rows: T[]) {
  return http.get(`*/api/v1/${path}`, () => HttpResponse.json(rows))
}

/** Orders by their service: those of the status that is asked for, or all that are open. */
export function orderList(rows: Order[]) {
  return http.get('*/api/v1/orders', ({ request }) => {
    const { searchParams } = new URL(request.url)
    const status = searchParams.get('status')
    const asked = searchParams.has('isOpen') ? rows.filter((row) => !['delivered', 'cancelled'].includes(row.status)) : rows
    return HttpResponse.json(asked.filter((row) => status === null || row.status === status))
  })
}

/** The profile of who `signIn` signs in. */
export function profile(over: Partial<User> = {}): User {
  return {
    _id: 'u1',
    id: 'u1',
    email: 'customer@tiffin.local',
    role: 'customer',
    firstName: 'Nimali',
    lastName: 'Jayasuriya',
    address: '12 Galle Face',
    phone: '0771234567',
    image: null,
    lat: 6.9,
    lng: 79.8,
    emailVerified: true,
    isBlocked: false,
    ...over,
  }
}

export function restaurant(over: Partial<Restaurant> = {}): Restaurant {
  return {
    _id: 'r1',
    name: 'Lotus Kitchen',
    ownerName: 'Ruwan Silva',
    ownerId: 'o1',
    address: '10 Galle Road',
    phone: '0112345678',
    description: 'Hoppers all day.',
    images: [],
    isOpen: true,
    verified: true,
    rating: null,
    ratingCount: 0,
    ...over,
  }
}

export function item(over: Partial<Item> = {}): Item {
  return {
    _id: 'i1',
    itemId: 'ITM-1',
    restaurantId: 'r1',
    name: 'Chicken Kottu',
    price: 350.5,
    category: 'fastfood',
    description: 'Chopped roti.',
    images: [],
    available: true,
    approve: true,
    rating: null,
    ratingCount: 0,
    ...over,
  }
}

export function order(over: Partial<Order> = {}): Order {
  return {
    _id: 'x1',
    orderId: 'ORD-AAAA1111',
    checkoutId: 'c1',
    email: 'customer@tiffin.local',
    createdAt: '2026-11-21T10:00:00Z',
    totalAmount: 701,
    isApprove: false,
    isPaid: false,
    refunds: [],
    quantity: 2,
    status: 'pending',
    assignedDriver: null,
    driverName: null,
    driverPhone: null,
    deliveryId: null,
    address: '12 Galle Face',
    customerName: 'Nimali',
    phone: null,
    lat: 6.9,
    lng: 79.8,
    key: 'i1',
    Item_name: 'Chicken Kottu',
    image: null,
    price: 350.5,
    restaurantId: 'r1',
    restaurantName: 'Lotus Kitchen',
    ...over,
  }
}

export function driver(over: Partial<Driver> = {}): Driver {
  return {
    _id: 'd1',
    id: 'd1',
    email: 'driver@tiffin.local',
    firstName: 'Kasun',
    lastName: 'Fernando',
    address: null,
    phone: null,
    image: null,
    vehicleType: 'Bike',
    drNic: '900000000V',
    isAvailable: true,
    role: 'delivery',
    ...over,
  }
}

export function payment(over: Partial<Payment> = {}): Payment {
  return {
    _id: 'p1',
    bookingId: 'ORD-AAAA1111',
    checkoutId: 'c1',
    amount: 701,
    refunded: 0,
    paymentType: 'Card',
    paymentDate: '2026-11-21T10:01:00Z',
    status: 'captured',
    isRefundDelayed: false,
    ...over,
  }
}

export function delivery(over: Partial<Delivery> = {}): Delivery {
  return {
    _id: 'v1',
    ticketId: 'v1',
    orderId: 'ORD-AAAA1111',
    orderName: 'Chicken Kottu',
    address: '12 Galle Face',
    driverId: 'd1',
    driverName: 'Kasun',
    driverPhone: null,
    driverEmail: null,
    status: 'on the way',
    declined: false,
    estimatedTime: '2026-11-21T10:40:00Z',
    earliestArrival: null,
    latestArrival: null,
    itemImage: null,
    customerEmail: 'customer@tiffin.local',
    phone: null,
    lat: 6.93,
    lng: 79.85,
    destLat: 6.8932,
    destLng: 79.8568,
    restaurantLat: 6.9113,
    restaurantLng: 79.8495,
    timestamp: '2026-11-21T10:10:00Z',
    price: 350.5,
    total: 701,
    qty: 2,
    ...over,
  }
}
