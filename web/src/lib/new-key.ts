/** A new idempotency key. */
export function newKey(): string {
  // `randomUUID` is missing where the page did not come over TLS or from this machine.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
