import { useMutation, useQueryClient } from '@tanstack/react-query'

import { deliveriesQuery } from '@/api/deliveries'
import { updateDeliveryLocation, updateDeliveryStatus } from '@/api/generated/sdk.gen'
import type { Delivery, DeliveryStatus } from '@/api/generated/types.gen'
import { ordersQuery } from '@/api/orders'
import { messageOf } from '@/api/problem'
import { statusLabel } from '@/ui/StatusBadge'
import { toast } from '@/ui/toast'

import { currentFix, NoPosition } from './device'

/** Everything a driver does to a delivery. */
export function useDeliveryChanges() {
  const queries = useQueryClient()
  const refresh = () =>
    Promise.all(
      [deliveriesQuery().queryKey, ordersQuery().queryKey].map((queryKey) => queries.invalidateQueries({ queryKey })),
    )

  const status = useMutation({
    mutationFn: ({ delivery, next }: { delivery: Delivery; next: DeliveryStatus }) =>
      updateDeliveryStatus({ path: { id: delivery._id }, body: { status: next } }),
    onSuccess: (_, { delivery, next }) => {
      toast.success(`${delivery.orderId}: ${statusLabel(next)}`)
    },
    onError: (error) => {
      console.error(error)
      toast.error(messageOf(error, 'Failed to update the status.'))
    },
    onSettled: refresh,
  })

  const location = useMutation({
    mutationFn: async (delivery: Delivery) => {
      const { lat, lng } = await currentFix()
      await updateDeliveryLocation({ path: { id: delivery._id }, body: { lat, lng } })
    },
    onSuccess: () => {
      toast.success('Location updated')
    },
    onError: (error) => {
      console.error(error)
      toast.error(error instanceof NoPosition ? error.message : messageOf(error, 'Failed to update the location.'))
    },
    onSettled: refresh,
  })

  return {
    setStatus: (delivery: Delivery, next: DeliveryStatus) => {
      status.mutate({ delivery, next })
    },
    sendLocation: (delivery: Delivery) => {
      location.mutate(delivery)
    },
    changing: status.isPending ? status.variables.delivery._id : null,
    locating: location.isPending ? location.variables._id : null,
  }
}
