import type { TextId } from '@/lib/texts'

/** The reasons that a restaurant or an administrator may give, as on the wire. */
export const CANCEL_REASONS = ['sold_out', 'closing_early', 'too_busy', 'out_of_reach', 'customer_asked', 'other'] as const
export type CancelReason = (typeof CANCEL_REASONS)[number]

/** The side that cancelled an order, with its words for the customer. */
export interface Cancellation {
  by: 'customer' | 'restaurant' | 'administrator' | 'deadline'
  reason?: CancelReason | null
  note?: string | null
}

/** An order in the question before its cancellation. */
export interface CancellableOrder {
  orderId: string
  quantity: number
  Item_name: string
  /** Rupees. */
  totalAmount: number
  isPaid: boolean
  /** Its refunds by people so far. */
  refunds: { amount: number }[]
  status: string
}

/** The reasons as staff choose among them. */
export const reasonLabels: Record<CancelReason, TextId> = {
  sold_out: 'cancellation.soldOut',
  closing_early: 'cancellation.closingEarly',
  too_busy: 'cancellation.tooBusy',
  out_of_reach: 'cancellation.outOfReach',
  customer_asked: 'cancellation.customerAsked',
  other: 'cancellation.other',
}

/** The reason why staff can't cancel an order; null if they can, or it is cancelled. */
export function whyNotCancellable({ status }: { status: string }): TextId | null {
  if (status === 'dispatched') return 'cancellation.onItsWay'
  return status === 'delivered' ? 'cancellation.delivered' : null
}
