import * as v from 'valibot'

import { text } from '@/lib/texts'

/** The patterns of a card's fields, with 9 for a digit: 16 digits, 5 characters, 3 digits. */
export const masks = { number: '9999 9999 9999 9999', expiry: '99/99', cvv: '999' }

/** True if a card that is good to the end of `MM/YY` can still be used. */
function isGood(expiry: string, now: Date): boolean {
  const [month, year] = expiry.split('/').map(Number)
  if (month === undefined || year === undefined || month < 1 || month > 12) return false
  return (2000 + year) * 12 + month - 1 >= now.getUTCFullYear() * 12 + now.getUTCMonth()
}

export const cardSchema = v.object({
  cardNumber: v.pipe(
    v.string(),
    v.transform((typed) => typed.replaceAll(' ', '')),
    v.regex(/^\d{16}$/, () => text('checkout.invalidCardNumber')),
  ),
  expiry: v.pipe(
    v.string(),
    v.check((typed) => /^\d{2}\/\d{2}$/.test(typed) && isGood(typed, new Date()), () => text('checkout.invalidExpiry')),
  ),
  cvv: v.pipe(v.string(), v.regex(/^\d{3}$/, () => text('checkout.invalidCvv'))),
})

export type Card = v.InferOutput<typeof cardSchema>

// The brands of cards, by their first digits (ISO/IEC 7812).
const brands: [brand: string, digits: RegExp][] = [
  ['Visa', /^4/],
  ['Mastercard', /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ['Discover', /^(65|64[4-9]|6011)/],
  ['JCB', /^35(2[89]|[3-8])/],
  ['Diners Club', /^(36|38|30[0-5])/],
  ['UnionPay', /^62/],
]

/** The brand of a card, once enough of its number is known. */
export function brandOf(number: string): string | null {
  const digits = number.replaceAll(' ', '')
  return brands.find(([, pattern]) => pattern.test(digits))?.[0] ?? null
}
