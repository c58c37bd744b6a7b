import { cents, fromCents } from '@/lib/money'
import type { TextId } from '@/lib/texts'

/** The reasons of a refund, as on the wire. */
export const REFUND_REASONS = ['missing_item', 'wrong_item', 'poor_quality', 'late', 'not_delivered', 'other'] as const
export type RefundReason = (typeof REFUND_REASONS)[number]

/** An order in the question before its refund. */
export interface RefundableOrder {
  orderId: string
  /** Missing where only the order's code is known. */
  quantity?: number
  Item_name?: string
}

/** Money of an order that the restaurant or an administrator refunds. */
export interface OrderRefund {
  /** Rupees. */
  amount: number
  reason: RefundReason
  /** False while the provider is asked for it. */
  isMade: boolean
}

/** The reasons as staff choose among them. */
export const refundLabels: Record<RefundReason, TextId> = {
  missing_item: 'refund.missingItem',
  wrong_item: 'refund.wrongItem',
  poor_quality: 'refund.poorQuality',
  late: 'refund.late',
  not_delivered: 'refund.notDelivered',
  other: 'refund.other',
}

/** The price of an order less what people refunded of it. */
export function priceAfterRefunds(order: { totalAmount: number; refunds: { amount: number }[] }): number {
  const refunded = order.refunds.reduce((sum, { amount }) => sum + cents(amount), 0)
  return fromCents(cents(order.totalAmount) - refunded)
}
