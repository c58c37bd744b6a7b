import * as z from 'zod/mini'

const coordinates = { lat: z.number().check(z.minimum(-90), z.maximum(90)), lng: z.number().check(z.minimum(-180), z.maximum(180)) }

const positionFrame = z.object({
  type: z.literal('position'),
  topic: z.string(),
  deliveryId: z.string(),
  ...coordinates,
  heading: z.nullish(z.number()),
  speed: z.nullish(z.number()),
  at: z.iso.datetime({ offset: true }),
})

const eventFrame = z.object({
  type: z.literal('event'),
  topic: z.string(),
  seq: z.nullish(z.number()),
  event: z.object({
    id: z.string(),
    type: z.string(),
    subject: z.string(),
    time: z.string(),
    data: z.unknown(),
  }),
})

const notificationFrame = z.object({ type: z.literal('notification'), notification: z.unknown() })
const watchingFrame = z.object({ type: z.literal('watching'), topic: z.string() })
const refusedFrame = z.object({ type: z.literal('refused'), topic: z.string(), message: z.string() })

const serverFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), userId: z.string(), expiresAt: z.string() }),
  watchingFrame,
  refusedFrame,
  positionFrame,
  eventFrame,
  notificationFrame,
  z.object({ type: z.literal('error'), message: z.string() }),
])

/** What the bridge sends. */
export type ServerFrame = z.infer<typeof serverFrame>

/** A driver's position, by the clock of the driver's device. */
export type PositionFrame = z.infer<typeof positionFrame>

/** A domain event; `seq` is its place in the stream, which hints on `me` do not have. */
export type EventFrame = z.infer<typeof eventFrame>

/** What somebody who watches a topic is given. */
export type TopicFrame =
  | PositionFrame
  | EventFrame
  | z.infer<typeof notificationFrame>
  | z.infer<typeof refusedFrame>
  /** `again` after a reconnect: what has no `seq` may have been missed. */
  | { type: 'watching'; topic: string; again: boolean }

/** One fix of this device. */
export interface DeviceFix {
  /** Left out, it counts for all the driver's deliveries under way. */
  deliveryId?: string
  lat: number
  lng: number
  /** Metres. */
  accuracy?: number
  /** Degrees clockwise from true north. */
  heading?: number
  /** Metres a second. */
  speed?: number
  /** RFC 3339, by the device's clock. */
  at: string
}

/** What a client sends. */
export type ClientFrame =
  | { type: 'auth'; token: string }
  | { type: 'watch'; topic: string; after?: number }
  | { type: 'unwatch'; topic: string }
  | ({ type: 'position' } & DeviceFix)
  | { type: 'positions'; positions: DeviceFix[] }

/** Reads one frame; null for anything that is not one, rubbish as well as kinds yet unknown. */
export function readFrame(text: unknown): ServerFrame | null {
  if (typeof text !== 'string') return null
  try {
    return serverFrame.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
