import { useMutation, useQueryClient } from '@tanstack/react-query'

import { deliveriesQuery } from '@/api/deliveries'
import { updateDeliveryLocation, updateDeliveryStatus } from '@/api/generated/sdk.gen'
import type { Delivery, DeliveryStatus } from '@/api/generated/types.gen'
import { ordersQuery } from '@/api/orders'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { statusLabel } from '@/ui/StatusBadge'
import { toast } from '@/ui/toast'

import { currentPosition, PositionError } from './device'

/** A driver's changes of deliveries; a new status is shown before the answer. */
export function useDeliveryChanges() {
  const t = useTexts()
  const queries = useQueryClient()
  const { queryKey } = deliveriesQuery()
  const refresh = () =>
    Promise.all([queryKey, ordersQuery().queryKey].map((stale) => queries.invalidateQueries({ queryKey: stale })))

  const status = useMutation({
    mutationFn: ({ deliveries, next }: { deliveries: Delivery[]; next: DeliveryStatus }) =>
      Promise.all(deliveries.map(({ _id: id }) => updateDeliveryStatus({ path: { id }, body: { status: next } }))),
    onMutate: async ({ deliveries, next }) => {
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData(queryKey)
      const changed = new Set(deliveries.map(({ _id }) => _id))
      queries.setQueryData(queryKey, (all) => all?.map((one) => (changed.has(one._id) ? { ...one, status: next } : one)))
      return { before }
    },
    onSuccess: (_, { deliveries, next }) => {
      toast.success(`${deliveries.map(({ orderId }) => orderId).join(', ')}: ${statusLabel(next)}`)
    },
    onError: (error, _, kept) => {
      console.error(error)
      queries.setQueryData(queryKey, kept?.before)
      toast.error(messageOf(error, t('driver.statusFailed')))
    },
    onSettled: refresh,
  })

  const location = useMutation({
    mutationFn: async (delivery: Delivery) => {
      const { lat, lng } = await currentPosition()
      await updateDeliveryLocation({ path: { id: delivery._id }, body: { lat, lng } })
    },
    onSuccess: () => {
      toast.success(t('driver.updateLocation'))
    },
    onError: (error) => {
      console.error(error)
      toast.error(error instanceof PositionError ? t(`driver.${error.failure}`) : messageOf(error, t('driver.locationFailed')))
    },
    onSettled: refresh,
  })

  return {
    setStatus: (deliveries: Delivery[], next: DeliveryStatus) => {
      status.mutate({ deliveries, next })
    },
    sendLocation: (delivery: Delivery) => {
      location.mutate(delivery)
    },
    changing: status.isPending,
    locating: location.isPending ? location.variables._id : null,
  }
}
