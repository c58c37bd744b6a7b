import { newKey } from '@/lib/new-key'

/** The last order that was tried, kept for as long as the tab lives. */
const ORDER = 'order-attempt'
/** The payments that were tried. */
const PAYMENT = 'payment-attempt'

/**
 * The idempotency key of an order with this body. The same order tried again, even after a reload,
 * has the same key, so that a lost answer never becomes a second order; another order has another.
 */
export function orderKey(body: unknown): string {
  const serialized = JSON.stringify(body)
  const [kept, ...rest] = (sessionStorage.getItem(ORDER) ?? '').split('\n')
  if (kept && rest.join('\n') === serialized) return kept
  const key = newKey()
  sessionStorage.setItem(ORDER, `${key}\n${serialized}`)
  return key
}

/** Forgets the key of an order that was placed: the next order needs a new one. */
export function clearOrderKey(): void {
  sessionStorage.removeItem(ORDER)
}

/**
 * The idempotency key of an order's payment; `before` is the number of its payments so far. A retry has the same key,
 * since the service releases the key of a refused payment. Nothing of the card is kept.
 */
export function paymentKey(orderId: string, before: number): string {
  const name = `${PAYMENT}:${orderId}:${String(before)}`
  const kept = sessionStorage.getItem(name)
  if (kept !== null) return kept
  const key = newKey()
  sessionStorage.setItem(name, key)
  return key
}
