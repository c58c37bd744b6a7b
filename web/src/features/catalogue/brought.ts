import * as z from 'zod/mini'

import type { Restaurant } from '@/api/generated/types.gen'

const stateSchema = z.object({
  restaurant: z.object({
    _id: z.string(),
    name: z.string(),
    ownerName: z.string(),
    ownerId: z.string(),
    address: z.string(),
    phone: z.string(),
    description: z.string(),
    images: z.array(z.string()),
    isOpen: z.boolean(),
    verified: z.boolean(),
    ratingCount: z.number(),
    rating: z.nullish(z.number()),
  }),
})

/** The restaurant that navigation brought along; a browser keeps such state across releases, so it is checked. */
export function brought(state: unknown, id: string): Restaurant | undefined {
  const restaurant = z.safeParse(stateSchema, state).data?.restaurant
  return restaurant?._id === id ? restaurant : undefined
}
