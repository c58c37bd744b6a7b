import * as v from 'valibot'

const text = v.optional(v.string(), '')

const envelope = v.object({
  id: text,
  type: text,
  source: text,
  subject: text,
  time: text,
  actor: text,
  sequence: v.optional(v.number()),
  correlationid: v.nullish(v.string()),
  causationid: v.nullish(v.string()),
  data: v.optional(v.unknown()),
})

/** An event's envelope as CloudEvents has it; what is missing is empty. */
export type Envelope = v.InferOutput<typeof envelope>

/** Reads an event; of any other message, the readable part. */
export function readEvent(event: unknown): Envelope {
  const read = v.safeParse(envelope, event)
  return read.success ? read.output : v.parse(envelope, {})
}

/** A field of a payload, where it is a text. */
export function textOf(data: unknown, field: string): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const value: unknown = Reflect.get(data, field)
  return typeof value === 'string' ? value : undefined
}

/** The replacement of a personal field. */
export const MASK = '•••'

/** True if a part of it is masked. */
export function isMasked(value: unknown): boolean {
  if (value === MASK) return true
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(isMasked)
}

/** The order whose timeline an event is part of. */
export function orderOf(event: Envelope): string | undefined {
  if (event.correlationid != null) return event.correlationid
  return event.type.startsWith('tiffin.order.') ? event.subject : undefined
}

/** `order placed` of `tiffin.order.placed.v1`. */
export function nameOf(type: string): string {
  const [, aggregate, ...words] = type.split('.')
  if (aggregate === undefined) return type
  return [aggregate, ...words.filter((word) => !/^v\d+$/.test(word))].join(' ').replaceAll('_', ' ')
}
