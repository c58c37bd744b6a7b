import * as v from 'valibot'

import { URL_OF_PLATFORM } from './browser'

interface Call {
  token?: string
  body?: unknown
}

/** Calls the platform; what it refuses is thrown with its words. */
export async function call(method: string, path: string, { token, body }: Call = {}): Promise<unknown> {
  const answer = await fetch(`${URL_OF_PLATFORM}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${String(answer.status)} ${text}`)
  return text === '' ? null : JSON.parse(text)
}

/** Asks again until `found` finds something: for what follows from an event. */
export async function eventually<T>(find: () => Promise<T | undefined>, timeout = 15_000): Promise<T> {
  const until = Date.now() + timeout
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (Date.now() > until) throw new Error('what was waited for has not come')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export const restaurantSchema = v.object({
  _id: v.string(),
  name: v.string(),
  ownerId: v.string(),
  isOpen: v.boolean(),
})
export const itemSchema = v.object({
  _id: v.string(),
  name: v.string(),
  price: v.number(),
  available: v.boolean(),
  approve: v.boolean(),
})
export const orderSchema = v.object({
  _id: v.string(),
  orderId: v.string(),
  checkoutId: v.string(),
  status: v.string(),
  totalAmount: v.number(),
  deliveryId: v.nullish(v.string()),
})
export const deliverySchema = v.object({ _id: v.string(), orderId: v.string(), status: v.string() })

/** An open restaurant of an owner, with two dishes that can be ordered. */
export async function restaurantOf(ownerId: string) {
  const restaurants = v.parse(v.array(restaurantSchema), await call('GET', '/api/v1/restaurant'))
  const open = restaurants.find((one) => one.ownerId === ownerId && one.isOpen)
  if (open === undefined) throw new Error('the demo owner has no open restaurant')
  const items = v.parse(v.array(itemSchema), await call('GET', `/api/v1/collection/getAll/${open._id}`))
  const [first, second] = items.filter((one) => one.available && one.approve)
  if (first === undefined || second === undefined) throw new Error(`${open.name} has fewer than two dishes`)
  return { restaurant: open, dishes: [first, second] }
}
