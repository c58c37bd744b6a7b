import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { deliveriesQuery } from '@/api/deliveries'
import { driversQuery } from '@/api/drivers'
import { setOrderStatus } from '@/api/generated/sdk.gen'
import type { Order } from '@/api/generated/types.gen'
import { ordersQuery } from '@/api/orders'
import { toast } from '@/ui/toast'

import { needsDriver, type OwnerStatus, restOfTrip } from './status'

interface Change {
  order: Order
  status: OwnerStatus
  driverId: string | null
}

/** Lines of a trip whose first line was just confirmed, and the driver who has it. */
export interface Offer {
  orders: Order[]
  driverId: string
}

/** Everything an owner does to an order's status. */
export function useSetStatus() {
  const queries = useQueryClient()
  const [offer, setOffer] = useState<Offer | null>(null)

  const change = useMutation({
    mutationFn: ({ order, status, driverId }: Change) =>
      setOrderStatus({
        path: { orderId: order.orderId },
        body: driverId === null ? { status } : { status, driverId },
      }),
    onSuccess: (_, { order, status, driverId }) => {
      toast.success(`Order status updated to ${status}`)
      const rest = restOfTrip(order, queries.getQueryData(ordersQuery().queryKey) ?? [])
      if (status === 'confirmed' && driverId !== null && rest.length > 0) setOffer({ orders: rest, driverId })
    },
    onError: () => {
      toast.error('Failed to update status or assign delivery.')
    },
    onSettled: () =>
      Promise.all(
        [ordersQuery().queryKey, driversQuery().queryKey, deliveriesQuery().queryKey].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  })

  return {
    offer,
    refuseOffer: () => {
      setOffer(null)
    },
    takeOffer: async () => {
      if (offer === null) return
      setOffer(null)
      for (const order of offer.orders) {
        await change.mutateAsync({ order, status: 'confirmed', driverId: offer.driverId }).catch(() => null)
      }
    },
    /** Sets a status, unless a driver is missing: then nothing is called. */
    set: (order: Order, status: OwnerStatus, driverId: string | null) => {
      if (needsDriver(status, order, driverId)) {
        toast.error('Please select a driver before confirming.')
        return
      }
      change.mutate({ order, status, driverId: status === 'confirmed' ? driverId : null })
    },
    busy: change.isPending ? change.variables.order._id : null,
  }
}
