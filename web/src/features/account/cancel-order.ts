import { useMutation, useQueryClient } from '@tanstack/react-query'

import { cancelOrder } from '@/api/generated/sdk.gen'
import { ordersQuery } from '@/api/orders'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { confirmByToast } from '@/ui/confirm'
import { toast } from '@/ui/toast'

/** Cancels an order once the customer has confirmed it; a refusal puts it back. */
export function useCancelOrder() {
  const t = useTexts()
  const queries = useQueryClient()
  const { queryKey } = ordersQuery()
  const cancel = useMutation({
    mutationFn: (orderId: string) => cancelOrder({ path: { orderId } }),
    onMutate: async (orderId) => {
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData(queryKey)
      queries.setQueryData(queryKey, (orders) =>
        orders?.map((order) => (order.orderId === orderId ? { ...order, status: 'cancelled' as const } : order)),
      )
      return before
    },
    onSuccess: () => {
      toast.success(t('account.cancelled'))
    },
    onError: (error, _, before) => {
      queries.setQueryData(queryKey, before)
      toast.error(messageOf(error, t('account.cancelFailed')))
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
  return async (orderId: string) => {
    if (await confirmByToast(t('account.cancelQuestion'))) cancel.mutate(orderId)
  }
}
