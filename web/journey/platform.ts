import { z } from 'zod'

import { URL_OF_PLATFORM } from './browser'

const account = z.object({ token: z.string(), user: z.object({ _id: z.string() }) })
const restaurant = z.object({ _id: z.string(), name: z.string(), ownerId: z.string(), isOpen: z.boolean() })
const item = z.object({ name: z.string(), price: z.number(), available: z.boolean(), approve: z.boolean() })
const delivery = z.object({ _id: z.string(), orderId: z.string(), status: z.string() })

/** What a demo account is called by the platform. */
export async function idOf(email: string): Promise<string> {
  const answer = await fetch(`${URL_OF_PLATFORM}/api/v1/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'Tiffin@2026' }),
  })
  return account.parse(await answer.json()).user._id
}

/** An open restaurant of an owner, with two dishes that can be ordered. */
export async function restaurantOf(ownerId: string) {
  const restaurants = z.array(restaurant).parse(await get('/api/v1/restaurant'))
  const open = restaurants.find((one) => one.ownerId === ownerId && one.isOpen)
  if (open === undefined) throw new Error('the demo owner has no open restaurant')
  const items = z.array(item).parse(await get(`/api/v1/collection/getAll/${open._id}`))
  const [first, second] = items.filter((one) => one.available && one.approve)
  if (first === undefined || second === undefined) throw new Error(`${open.name} has fewer than two dishes`)
  return { restaurant: open, dishes: [first, second] }
}

/** The deliveries that the signed-in user of a page sees, by order code. */
export function deliveriesIn(answer: unknown): Map<string, { id: string; status: string }> {
  const list = z.array(delivery).parse(answer)
  return new Map(list.map((one) => [one.orderId, { id: one._id, status: one.status }]))
}

async function get(path: string): Promise<unknown> {
  const answer = await fetch(`${URL_OF_PLATFORM}${path}`)
  return await answer.json()
}
