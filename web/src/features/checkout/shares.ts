import type { Order, Payment } from '@/api/generated/types.gen'
import { priceAfterRefunds } from '@/ui/refund'
import { cents, fromCents } from '@/lib/money'

/** One order of a checkout that is not cancelled. */
export interface Due {
  order: Order
  /** The amount that it is to pay now; null without one. */
  share: number | null
  /** Its payments that were not refused. */
  payments: Payment[]
}

/** The balance of a checkout: the price of its live orders less refunds by people, against the payments for all of them. */
export interface Balance {
  dues: Due[]
  cost: number
  /** Paid or being paid, and not given back. */
  paid: number
  left: number
  /** Refunded, or to be refunded. */
  refunded: number
  /** The provider has not answered yet. */
  isPending: boolean
  /** Money is on its way back. */
  isRefunding: boolean
}

const sum = <T>(all: T[], amount: (one: T) => number) => all.reduce((total, one) => total + amount(one), 0)

/**
 * `total` in `count` parts: divided and rounded to the cent, the last taking the remainder, so
 * that the sum is exact. None is below zero.
 */
export function splitEvenly(total: number, count: number): number[] {
  const part = Math.round(cents(total) / count)
  let left = cents(total)
  return Array.from({ length: count }, (_, at) => {
    const share = at === count - 1 ? left : Math.min(part, left)
    left -= share
    return fromCents(share)
  })
}

/** The balance of a checkout, and what each order pays next: computed as the payment service does. */
export function balanceOf(checkout: Order[], payments: Payment[]): Balance {
  const live = checkout.filter((order) => order.status !== 'cancelled').toSorted((a, b) => a._id.localeCompare(b._id))
  const ids = new Set(checkout.map((order) => order.checkoutId))
  const made = payments.filter((payment) => ids.has(payment.checkoutId) && payment.status !== 'declined')
  const cost = sum(live, (order) => cents(priceAfterRefunds(order)))
  const paid = sum(made, (payment) => cents(payment.amount) - cents(payment.refunded))
  const left = Math.max(0, cost - paid)
  const shares = sharesOf(live, made, cost, left)
  return {
    dues: live.map((order) => ({
      order,
      share: shares.get(order) ?? null,
      payments: made.filter((payment) => payment.bookingId === order.orderId),
    })),
    cost: fromCents(cost),
    paid: fromCents(paid),
    left: fromCents(left),
    refunded: fromCents(sum(made, (payment) => cents(payment.refunded))),
    isPending: made.some((payment) => payment.status === 'pending'),
    isRefunding: made.some((payment) => payment.status === 'refunding'),
  }
}

/** The amount that an order is to pay; if that is nothing, its own payments less refunds. */
export function amountOf({ share, payments }: Due): number {
  return share ?? fromCents(sum(payments, (payment) => cents(payment.amount) - cents(payment.refunded)))
}

/** The rest (cents), split over the orders that were paid least often. */
function sharesOf(live: Order[], made: Payment[], cost: number, left: number): Map<Order, number> {
  const paymentsOf = (order: Order) => made.filter((payment) => payment.bookingId === order.orderId)
  const free = live.filter((order) => paymentsOf(order).every((payment) => payment.status !== 'pending'))
  const least = Math.min(...free.map((order) => paymentsOf(order).length))
  const open = free.filter((order) => paymentsOf(order).length === least)
  if (left === 0 || open.length === 0) return new Map()
  // Equal parts of the whole as long as those were paid; the rest is split again after a cancellation.
  const parts = splitEvenly(fromCents(cost), live.length)
  const whole = new Map(live.map((order, at) => [order, parts[at] ?? 0]))
  if (sum(open, (order) => cents(whole.get(order) ?? 0)) === left) return new Map(open.map((order) => [order, whole.get(order) ?? 0]))
  const again = splitEvenly(fromCents(left), open.length)
  return new Map(open.map((order, at) => [order, again[at] ?? 0]))
}
