import type { EventKey } from '@/api/operator'

/** An event's key as one text: `ORDERS/12`. */
export function eventKey({ stream, seq }: EventKey): string {
  return `${stream}/${String(seq)}`
}

/** Reads a key; null if the text is none. */
export function readEventKey(text: string | null): EventKey | null {
  const [, stream, seq] = /^([A-Z]+)\/(\d{1,15})$/.exec(text ?? '') ?? []
  return stream === undefined || seq === undefined ? null : { stream, seq: Number(seq) }
}
