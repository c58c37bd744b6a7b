import { useMutation, useQueryClient } from '@tanstack/react-query'

import { checkPayment, makePayment } from '@/api/generated/sdk.gen'
import type { Order, PaymentType } from '@/api/generated/types.gen'
import { ordersQuery } from '@/api/orders'
import { paymentsQuery } from '@/api/payments'
import { isProblem } from '@/api/problem'

import { paymentKey } from './idempotency-keys'
import type { Card } from './card'
import { balanceOf, type Due } from './shares'

/** The means of payment of the checkout; a card with its fields, or with the provider's token. */
export type PaymentMeans =
  | { paymentType: Exclude<PaymentType, 'Card'> }
  | ({ paymentType: 'Card' } & Card)
  | { paymentType: 'Card'; cardToken: string }

/** The way in which a checkout is paid. */
export interface Payer {
  /** The means of one payment. A token of a card is good for one. */
  means: () => PaymentMeans | Promise<PaymentMeans>
  /** Lets the customer confirm a payment at the bank. How that ended, the service says. */
  confirm?: (clientSecret: string) => Promise<void>
}

/** The key of this mutation. */
export const PAY_CHECKOUT = ['pay-checkout']

/** The state of the checkout when nothing was refused; `open` if something is left to pay all the same. */
type Outcome = 'paid' | 'pending' | 'open'

/**
 * Pays what is left of a checkout, a share after the other, and stops at the first refusal. Tried again, it
 * continues where it stopped: nothing is charged twice. `onPaid` is called even when the form is gone by then,
 * since a hint of the last payment may come before its answer.
 */
export function usePayCheckout(onPaid: (outcome: Exclude<Outcome, 'open'>) => Promise<void>) {
  const queries = useQueryClient()
  return useMutation({
    mutationKey: PAY_CHECKOUT,
    mutationFn: async ({ orders, payer }: { orders: Order[]; payer: Payer }): Promise<Outcome> => {
      const balance = async () => balanceOf(orders, await queries.fetchQuery({ ...paymentsQuery(), staleTime: 0 }))
      for (const due of (await balance()).dues) {
        if ((await payShare(due, payer)) === 'unconfirmed') return 'open'
      }
      // The checkout may have changed meanwhile: only covered orders count as paid.
      const { left, isPending } = await balance()
      if (left > 0) return 'open'
      return isPending ? 'pending' : 'paid'
    },
    onSuccess: async (outcome) => {
      if (outcome !== 'open') await onPaid(outcome)
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: paymentsQuery().queryKey }),
        queries.invalidateQueries({ queryKey: ordersQuery().queryKey }),
      ]),
  })
}

async function payShare({ order, share, payments }: Due, { means, confirm }: Payer): Promise<'unconfirmed' | undefined> {
  if (share === null) return
  const body = { bookingId: order.orderId, amount: share, ...(await means()) }
  try {
    let answer = await makePayment({ body, headers: { 'Idempotency-Key': paymentKey(order._id, payments.length) } })
    if (answer.clientSecret != null && confirm !== undefined) {
      await confirm(answer.clientSecret)
      answer = await checkPayment({ path: { paymentId: answer.payment._id } })
    }
    return answer.clientSecret == null ? undefined : 'unconfirmed'
  } catch (error) {
    // Paid, being paid or cancelled meanwhile: this share is no longer due.
    if (isProblem(error) && error.status === 409) return
    throw error
  }
}
