import { useMutation, useQueryClient } from '@tanstack/react-query'

import { deleteOrder } from '@/api/generated/sdk.gen'
import type { Order } from '@/api/generated/types.gen'
import { ordersQuery } from '@/api/orders'
import { isProblem, messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { confirmDelete, dialog } from '@/ui/confirm'

/** Deletes an order once that is confirmed. The refusal of a paid one leads to its cancellation. */
export function useDeleteOrder(cancel: (order: Order) => void) {
  const t = useTexts()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: ({ _id }: Order) => deleteOrder({ path: { orderId: _id } }),
    onSuccess: () => {
      dialog.success(t('owner.deleted'), t('owner.orderDeleted'))
    },
    onError: (error, order) => {
      console.error(error)
      const isPaid = isProblem(error) && error.code === 'order.paid'
      const instead = isPaid ? { label: t('cancellation.cancelAndRefund'), act: () => { cancel(order) } } : undefined
      dialog.error(t('owner.error'), t('owner.orderDeleteFailed'), messageOf(error, '') || undefined, instead)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ordersQuery().queryKey }),
  })
  return async (order: Order) => {
    if (await confirmDelete()) remove.mutate(order)
  }
}
