import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { deliveriesQuery } from '@/api/deliveries'
import { driversQuery } from '@/api/drivers'
import { createDelivery, createNotification, setOrderStatus } from '@/api/generated/sdk.gen'
import type { Order } from '@/api/generated/types.gen'
import { ordersQuery } from '@/api/orders'
import { changeRows } from '@/api/pages'
import { isProblem } from '@/api/problem'
import { useTexts } from '@/lib/texts'
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

/** The delivery service knows neither the order nor the driver yet. */
const NOT_HEARD_YET = [404, 422]
/** The number of repeated requests, after twice the time each: twelve seconds in all. */
const RETRIES = 4

function refresh(queries: QueryClient) {
  const lists = [ordersQuery().queryKey, driversQuery().queryKey, deliveriesQuery().queryKey]
  return Promise.all(lists.map((queryKey) => queries.invalidateQueries({ queryKey })))
}

/**
 * Makes the delivery and tells of it, where neither has followed from the confirmation yet. The delivery
 * service hears of an order, as of everything, a moment later, and is asked again until it has.
 */
function useAssign() {
  const t = useTexts()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { orderId: string; driverId: string }) => createDelivery({ body }),
    retry: (failures, error) => failures < RETRIES && !(isProblem(error) && error.status < 500 && !NOT_HEARD_YET.includes(error.status)),
    retryDelay: (failures) => 800 * 2 ** failures,
    onSuccess: (_, { orderId }) => {
      toast.success(t('owner.deliverySaved'))
      createNotification({ body: { orderId } }).catch((cause: unknown) => {
        console.warn('The notification follows from the delivery a moment later.', cause)
      })
    },
    onError: (cause) => {
      console.warn('The delivery follows from the confirmation a moment later.', cause)
    },
    onSettled: () => refresh(queries),
  })
}

/** Everything an owner does to an order's status; `orders` are those on the screen. */
export function useSetStatus(orders: Order[]) {
  const t = useTexts()
  const queries = useQueryClient()
  const [offer, setOffer] = useState<Offer | null>(null)
  const { mutate: assign } = useAssign()

  const change = useMutation({
    mutationFn: ({ order, status, driverId }: Change) =>
      setOrderStatus({
        path: { orderId: order.orderId },
        body: driverId === null ? { status } : { status, driverId },
      }),
    onMutate: async ({ order, status }) => {
      await queries.cancelQueries({ queryKey: ordersQuery().queryKey })
      const putBack = changeRows<Order>(queries, ordersQuery().queryKey, (row) =>
        row._id === order._id ? { ...row, status } : row,
      )
      return { putBack }
    },
    onSuccess: (_, { order, status, driverId }) => {
      toast.success(t('owner.statusUpdated', { status: t(`owner.${status}`) }))
      const rest = restOfTrip(order, orders)
      if (status !== 'confirmed' || driverId === null) return
      if (rest.length > 0) setOffer({ orders: rest, driverId })
      assign({ orderId: order.orderId, driverId })
    },
    onError: (error, _, kept) => {
      console.error(error)
      kept?.putBack()
      toast.error(t('owner.statusFailed'))
    },
    onSettled: () => refresh(queries),
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
        toast.error(t('owner.selectDriverFirst'))
        return
      }
      change.mutate({ order, status, driverId: status === 'confirmed' ? driverId : null })
    },
    busy: change.isPending ? change.variables.order._id : null,
  }
}
