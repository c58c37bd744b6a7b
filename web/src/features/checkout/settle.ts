import { useMutation, useQueryClient } from '@tanstack/react-query'

import { makePayment } from '@/api/generated/sdk.gen'
import type { Order, PaymentType } from '@/api/generated/types.gen'
import { ordersQuery } from '@/api/orders'
import { paymentsQuery } from '@/api/payments'
import { isProblem } from '@/api/problem'

import { paymentKey } from './attempt'
import type { Card } from './card'
import { duesOf } from './shares'

/** What the checkout is paid with; a card with its fields. */
export type Means = { paymentType: Exclude<PaymentType, 'Card'> } | ({ paymentType: 'Card' } & Card)

/** How the checkout stands after a success. */
type Outcome = 'paid' | 'pending'

/**
 * Pays every order of a checkout that is not paid yet, one after the other, and stops at the first
 * refusal. Tried again, it goes on where it stopped: nothing is charged twice. `onPaid` is called even
 * when the form is gone by then, since the socket may tell of the last payment before its own answer does.
 */
export function useSettle(onPaid: (outcome: Outcome) => Promise<void>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ orders, means }: { orders: Order[]; means: Means }): Promise<Outcome> => {
      const made = await queries.fetchQuery({ ...paymentsQuery(), staleTime: 0 })
      let outcome: Outcome = 'paid'
      for (const { order, amount, payment } of duesOf(orders, made)) {
        const status = payment?.status ?? (await pay(order, amount, means))
        if (status === 'pending') outcome = 'pending'
      }
      return outcome
    },
    onSuccess: onPaid,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: paymentsQuery().queryKey }),
        queries.invalidateQueries({ queryKey: ordersQuery().queryKey }),
      ]),
  })
}

async function pay(order: Order, amount: number, means: Means) {
  try {
    const { payment } = await makePayment({
      body: { bookingId: order.orderId, amount, ...means },
      headers: { 'Idempotency-Key': paymentKey(order._id) },
    })
    return payment.status
  } catch (error) {
    // Paid, being paid or called off meanwhile: there is nothing left to pay.
    if (isProblem(error) && error.status === 409) return 'settled'
    throw error
  }
}
