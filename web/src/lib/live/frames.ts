import * as v from 'valibot'

const coordinates = { lat: v.pipe(v.number(), v.minValue(-90), v.maxValue(90)), lng: v.pipe(v.number(), v.minValue(-180), v.maxValue(180)) }

const positionFrame = v.object({
  type: v.literal('position'),
  topic: v.string(),
  deliveryId: v.string(),
  ...coordinates,
  /** Radius in metres of the 95 % circle. */
  accuracy: v.nullish(v.number()),
  heading: v.nullish(v.number()),
  speed: v.nullish(v.number()),
  at: v.pipe(v.string(), v.isoTimestamp()),
})

const eventFrame = v.object({
  type: v.literal('event'),
  topic: v.string(),
  seq: v.nullish(v.number()),
  stream: v.optional(v.string()),
  subject: v.optional(v.string()),
  event: v.looseObject({
    id: v.string(),
    type: v.string(),
    subject: v.string(),
    time: v.string(),
    data: v.unknown(),
  }),
})

const progressFrame = v.object({
  type: v.literal('progress'),
  topic: v.string(),
  state: v.picklist(['running', 'paused', 'done', 'cancelled', 'failed']),
  total: v.number(),
  handled: v.number(),
  skipped: v.number(),
  failed: v.number(),
})

const notificationFrame = v.object({ type: v.literal('notification'), notification: v.unknown() })
const watchingFrame = v.object({ type: v.literal('watching'), topic: v.string() })
/** A reason by its code; a bridge of an earlier release has no codes. */
const reason = { code: v.optional(v.string()), message: v.string() }
const refusedFrame = v.object({ type: v.literal('refused'), topic: v.string(), ...reason })

const serverFrame = v.variant('type', [
  v.object({ type: v.literal('ready'), userId: v.string(), expiresAt: v.string() }),
  watchingFrame,
  refusedFrame,
  positionFrame,
  eventFrame,
  progressFrame,
  notificationFrame,
  v.object({ type: v.literal('error'), ...reason }),
])

/** A frame of the bridge. */
export type ServerFrame = v.InferOutput<typeof serverFrame>

/** A driver's position, by the clock of the driver's device. */
export type PositionFrame = v.InferOutput<typeof positionFrame>

/**
 * A domain event; `seq` is its stream sequence, which hints on `me` do not have. One of a replay names
 * its stream and the subject that it was published on.
 */
type EventFrame = v.InferOutput<typeof eventFrame>

/** The progress of a replay. */
export type ProgressFrame = v.InferOutput<typeof progressFrame>

/** The frames that a watcher of a topic gets. */
export type TopicFrame =
  | PositionFrame
  | EventFrame
  | ProgressFrame
  | v.InferOutput<typeof notificationFrame>
  | v.InferOutput<typeof refusedFrame>
  /** `again` after a reconnect: what has no `seq` may have been missed. */
  | { type: 'watching'; topic: string; again: boolean }

/** One position of this device. */
export interface DevicePosition {
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

/** A frame of a client. */
export type ClientFrame =
  | { type: 'auth'; token: string }
  | { type: 'watch'; topic: string; after?: number }
  | { type: 'unwatch'; topic: string }
  | ({ type: 'position' } & DevicePosition)
  | { type: 'positions'; positions: DevicePosition[] }

/** Reads one frame; null for anything that is not one, rubbish as well as kinds yet unknown. */
export function readFrame(text: unknown): ServerFrame | null {
  if (typeof text !== 'string') return null
  try {
    const read = v.safeParse(serverFrame, JSON.parse(text))
    return read.success ? read.output : null
  } catch {
    return null
  }
}
