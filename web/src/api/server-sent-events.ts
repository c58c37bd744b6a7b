/** Replaces the generated reader of server-sent events: no call of Tiffin answers with them, and each first visit would fetch it. */
export function createSseClient(): never {
  throw new Error('Tiffin has no server-sent events')
}
