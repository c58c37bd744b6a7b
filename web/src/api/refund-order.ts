import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { moneyText } from '@/lib/format'
import { newKey } from '@/lib/new-key'
import { useTexts } from '@/lib/texts'
import type { RefundableOrder, RefundReason } from '@/ui/refund'
import type { RefundDialogProps } from '@/ui/RefundDialog'
import { toast } from '@/ui/toast'

import { getRefunds, issueRefund } from './generated/sdk.gen'
import { lists } from './lists'
import { messageOf } from './problem'

interface Choice {
  orderId: string
  amount: number
  reason: RefundReason
  note: string
  /** A repeated call refunds once. */
  key: string
}

/** Refunds an order on the restaurant's or the platform's side, once its dialog has the amount and the reason. */
export function useRefundOrder() {
  const t = useTexts()
  const queries = useQueryClient()
  const [asked, setAsked] = useState<{ order: RefundableOrder; key: string } | null>(null)
  const orderId = asked?.order.orderId ?? ''
  const room = useQuery({
    queryKey: [...lists.payments.key, 'refunds', orderId],
    queryFn: ({ signal }) => getRefunds({ path: { orderId }, signal }),
    enabled: asked !== null,
    staleTime: 0,
  })
  const refunding = useMutation({
    mutationFn: ({ key, note, amount, reason, ...path }: Choice) =>
      issueRefund({ path, headers: { 'Idempotency-Key': key }, body: note === '' ? { amount, reason } : { amount, reason, note } }),
    onSuccess: (_, { amount, orderId: order }) => {
      setAsked(null)
      toast.success(t('refund.done', { amount: moneyText(amount), order }))
    },
    onError: (error) => {
      console.error(error)
      // Another amount is another request.
      setAsked((before) => before && { ...before, key: newKey() })
    },
    onSettled: () => Promise.all([lists.orders.key, lists.payments.key].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  })
  const error = refunding.error ?? room.error
  const dialog: RefundDialogProps | null = asked && {
    order: asked.order,
    room: room.data,
    isBusy: refunding.isPending,
    failure: error && messageOf(error, t('refund.failed')),
    onRefund: (amount, reason, note) => {
      refunding.mutate({ orderId, amount, reason, note, key: asked.key })
    },
    onClose: () => {
      setAsked(null)
    },
  }
  return {
    /** Opens the dialog. */
    ask: (order: RefundableOrder) => {
      refunding.reset()
      setAsked({ order, key: newKey() })
    },
    /** The properties of the open dialog. */
    dialog,
  }
}
