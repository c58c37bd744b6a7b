import { useMutation, useQueryClient } from '@tanstack/react-query'

import { useCancelOrders } from '@/api/cancel-orders'
import { approveOrder, deleteOrder } from '@/api/generated/sdk.gen'
import type { Order } from '@/api/generated/types.gen'
import { lists } from '@/api/lists'
import { isProblem, messageOf } from '@/api/problem'
import { useRefundOrder } from '@/api/refund-order'
import { useTexts } from '@/lib/texts'
import { confirmDelete, dialog } from '@/ui/confirm'
import { toast } from '@/ui/toast'

/** An administrator's actions on an order. The refusal to delete a paid one leads to its cancellation. */
export function useOrderActions() {
  const t = useTexts()
  const queries = useQueryClient()
  const cancelling = useCancelOrders()
  const refunding = useRefundOrder()
  const reload = () => queries.invalidateQueries({ queryKey: lists.orders.key })
  const approval = useMutation({
    mutationFn: (order: Order) => approveOrder({ path: { orderId: order.orderId } }),
    onSuccess: () => {
      toast.success(t('admin.orderApproved'))
    },
    onError: () => {
      toast.error(t('admin.orderApproveFailed'))
    },
    onSettled: reload,
  })
  const removal = useMutation({
    mutationFn: (order: Order) => deleteOrder({ path: { orderId: order._id } }),
    onSuccess: () => {
      dialog.success(t('admin.deleted'), t('admin.orderDeleted'))
    },
    onError: (error, order) => {
      console.error(error)
      const isPaid = isProblem(error) && error.code === 'order.paid'
      const instead = isPaid ? { label: t('cancellation.cancelAndRefund'), act: () => { cancelling.ask([order]) } } : undefined
      dialog.error(t('admin.errorLoud'), t('admin.orderDeleteFailed'), messageOf(error, '') || undefined, instead)
    },
    onSettled: reload,
  })
  return {
    cancel: (order: Order) => {
      cancelling.ask([order])
    },
    cancelDialog: cancelling.dialog,
    refund: refunding.ask,
    refundDialog: refunding.dialog,
    approve: approval.mutate,
    approving: approval.isPending ? approval.variables._id : null,
    remove: async (order: Order) => {
      if (await confirmDelete()) removal.mutate(order)
    },
  }
}
