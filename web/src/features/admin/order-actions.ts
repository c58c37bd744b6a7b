import { useMutation, useQueryClient } from '@tanstack/react-query'

import { approveOrder, deleteOrder } from '@/api/generated/sdk.gen'
import type { Order } from '@/api/generated/types.gen'
import { lists } from '@/api/lists'
import { useTexts } from '@/lib/texts'
import { confirmDelete, dialog } from '@/ui/confirm'
import { toast } from '@/ui/toast'

/** An administrator's actions on an order. */
export function useOrderActions() {
  const t = useTexts()
  const queries = useQueryClient()
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
    onError: () => {
      dialog.error(t('admin.errorLoud'), t('admin.orderDeleteFailed'))
    },
    onSettled: reload,
  })
  return {
    approve: approval.mutate,
    approving: approval.isPending ? approval.variables._id : null,
    remove: async (order: Order) => {
      if (await confirmDelete()) removal.mutate(order)
    },
  }
}
