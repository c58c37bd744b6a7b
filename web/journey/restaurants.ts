import * as v from 'valibot'

import { demo, login, newAccount, type Account } from './accounts'
import { call, deliverySchema, eventually, itemSchema, orderSchema, restaurantSchema } from './platform'

/** A restaurant of a new owner. */
export async function newRestaurant(owner: Account, more: Record<string, unknown> = {}) {
  const { restaurant } = v.parse(
    v.object({ restaurant: restaurantSchema }),
    await call('POST', '/api/v1/restaurant', {
      token: owner.token,
      body: {
        name: `Kitchen ${owner.id.slice(-6)}`,
        address: '7 Marine Drive, Colombo',
        phone: '0112345678',
        description: 'Rice and curry all day.',
        images: ['/demo/place-kottu.svg', '/demo/place-spice.svg'],
        lat: 6.9147,
        lng: 79.8487,
        ...more,
      },
    }),
  )
  // Shops begin closed or open as the service likes; orders need an open one.
  if (!restaurant.isOpen) await call('POST', `/api/v1/restaurant/isOpen/${restaurant._id}`, { token: owner.token })
  return restaurant
}

/** A dish of a restaurant, approved unless `approved` is false. */
export async function newItem(
  owner: Account,
  restaurantId: string,
  { approved = true, ...more }: { approved?: boolean } & Record<string, unknown> = {},
) {
  const { item } = v.parse(
    v.object({ item: itemSchema }),
    await call('POST', '/api/v1/collection', {
      token: owner.token,
      body: {
        restaurantId,
        name: `Kottu ${restaurantId.slice(-6)}`,
        price: 750,
        category: 'fastfood',
        description: 'Chopped roti with vegetables.',
        images: ['/demo/kottu.svg'],
        ...more,
      },
    }),
  )
  if (!approved) return item
  const admin = await login(demo.admin)
  await call('POST', `/api/v1/collection/isApprove/${item._id}`, { token: admin.token, body: {} })
  return item
}

/** An owner with an open restaurant and a dish in it. */
export async function newRestaurantWithItem() {
  const owner = await newAccount('restaurant', { firstName: 'Ruwan', lastName: 'Silva' })
  const restaurant = await newRestaurant(owner)
  const item = await newItem(owner, restaurant._id)
  return { owner, restaurant, item }
}

interface Wishes {
  lat?: number
  lng?: number
  /** Words to the kitchen about each dish. */
  note?: string
}

/** Orders of a customer for dishes, one order a dish; to a place if there is one. */
export async function newOrders(customer: Account, itemIds: string[], { note, ...place }: Wishes = {}) {
  const body = { orderItem: itemIds.map((key) => ({ key, qty: 1, note })), ...place }
  // The order service consumes events of new dishes.
  const placed = await eventually(async () => await call('POST', '/api/v1/orders', { token: customer.token, body }).catch(() => undefined))
  return v.parse(v.object({ orders: v.array(orderSchema) }), placed).orders
}

/** Confirms an order with a driver, and waits for the delivery that follows from it. */
export async function confirmOrder(owner: Account, orderId: string, driver: Account) {
  const body = { status: 'confirmed', driverId: driver.id }
  await eventually(async () => await call('PUT', `/api/v1/orders/status/${orderId}`, { token: owner.token, body }).catch(() => undefined))
  return await eventually(async () => {
    const list = v.parse(v.array(deliverySchema), await call('GET', '/api/v1/delivery', { token: driver.token }))
    return list.find((one) => one.orderId === orderId)
  })
}
