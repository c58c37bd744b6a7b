import * as v from 'valibot'

import type { Restaurant } from '@/api/generated/types.gen'

const stateSchema = v.object({
  restaurant: v.object({
    _id: v.string(),
    name: v.string(),
    ownerName: v.string(),
    ownerId: v.string(),
    address: v.string(),
    phone: v.string(),
    description: v.string(),
    images: v.array(v.string()),
    isOpen: v.boolean(),
    verified: v.boolean(),
    ratingCount: v.number(),
    rating: v.nullish(v.number()),
  }),
})

/** The restaurant of the navigation state. A browser keeps that state across releases, so it is checked. */
export function restaurantFromState(state: unknown, id: string): Restaurant | undefined {
  const { success, output } = v.safeParse(stateSchema, state)
  return success && output.restaurant._id === id ? output.restaurant : undefined
}
