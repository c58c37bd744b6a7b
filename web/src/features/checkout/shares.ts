import type { Order, Payment } from '@/api/generated/types.gen'

/** What one order of a checkout is to pay. */
export interface Due {
  order: Order
  /** Rupees. */
  amount: number
  /** The payment it has already, unless that was refused. */
  payment: Payment | undefined
}

const cents = (rupees: number) => Math.round(rupees * 100)

/**
 * `total` in `count` parts: divided and rounded to two decimals, the last taking the remainder, so
 * that the sum is exact. None is below zero.
 */
export function split(total: number, count: number): number[] {
  const part = Math.round(cents(total) / count)
  let left = cents(total)
  return Array.from({ length: count }, (_, at) => {
    const share = at === count - 1 ? left : Math.min(part, left)
    left -= share
    return share / 100
  })
}

function sharesOf(orders: Order[]): Map<string, number> {
  const total = orders.reduce((sum, order) => sum + order.totalAmount, 0)
  const parts = split(total, orders.length)
  return new Map(orders.map((order, at) => [order._id, parts[at] ?? 0]))
}

/** What each order of a checkout pays that is not called off. */
export function duesOf(checkout: Order[], payments: Payment[]): Due[] {
  const orders = checkout.toSorted((a, b) => a._id.localeCompare(b._id))
  const open = orders.filter((order) => order.status !== 'cancelled')
  const paymentOf = (order: Order) =>
    payments.find((payment) => payment.bookingId === order.orderId && payment.status !== 'declined')
  // The first payment fixes the shares; orders called off since were still part of the sum.
  const fits = (shares: Map<string, number>) =>
    orders.every((order) => {
      const paid = paymentOf(order)?.amount
      return paid === undefined || paid === shares.get(order._id)
    })
  const shares = [open, orders].map(sharesOf).find(fits) ?? sharesOf(open)
  return open.map((order) => {
    const payment = paymentOf(order)
    return { order, payment, amount: payment?.amount ?? shares.get(order._id) ?? 0 }
  })
}
