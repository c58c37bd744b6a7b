import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { moneyText } from '@/lib/format'
import { useTexts } from '@/lib/texts'
import type { CancelReason } from '@/ui/cancellation'
import type { CancelDialogProps } from '@/ui/CancelDialog'
import { priceAfterRefunds } from '@/ui/refund'
import { toast } from '@/ui/toast'

import { cancelOrder } from './generated/sdk.gen'
import type { Order } from './generated/types.gen'
import { lists } from './lists'
import { messageOf } from './problem'

interface Choice {
  orders: Order[]
  reason: CancelReason
  note: string
}

/** Cancels orders of one checkout on the restaurant's side, once its dialog has the reason. */
export function useCancelOrders() {
  const t = useTexts()
  const queries = useQueryClient()
  const [asked, setAsked] = useState<Order[] | null>(null)
  const cancelling = useMutation({
    mutationFn: async ({ orders, reason, note }: Choice) => {
      const body = note === '' ? { reason } : { reason, note }
      // Those that a failed try has cancelled are cancelled once more, which changes nothing.
      for (const { orderId } of orders) await cancelOrder({ path: { orderId }, body })
    },
    onSuccess: (_, { orders }) => {
      setAsked(null)
      const paid = orders.filter(({ isPaid }) => isPaid)
      const values = {
        count: orders.length,
        orders: orders.map(({ orderId }) => orderId).join(', '),
        amount: moneyText(paid.reduce((sum, order) => sum + priceAfterRefunds(order), 0)),
      }
      toast.success(t(paid.length > 0 ? 'cancellation.doneRefund' : 'cancellation.done', values))
    },
    onError: (error) => {
      console.error(error)
    },
    onSettled: () =>
      Promise.all([lists.orders.key, lists.deliveries.key, lists.payments.key].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  })
  const dialog: CancelDialogProps | null = asked && {
    orders: asked,
    isBusy: cancelling.isPending,
    failure: cancelling.error && messageOf(cancelling.error, t('cancellation.failed')),
    onCancel: (reason, note) => {
      cancelling.mutate({ orders: asked, reason, note })
    },
    onClose: () => {
      setAsked(null)
    },
  }
  return {
    /** Opens the dialog. */
    ask: (orders: Order[]) => {
      cancelling.reset()
      setAsked(orders)
    },
    /** The properties of the open dialog. */
    dialog,
  }
}
