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

import { needsDriver, type OwnerStatus, remainingOrders } from './status'

interface Change {
  order: Order
  status: OwnerStatus
  driverId: string | null
}

/** The pending orders beside one that was just confirmed, and its driver. */
export interface RemainingOrders {
  orders: Order[]
  driverId: string
}

/** The delivery service knows neither the order nor the driver yet. */
const NOT_YET_KNOWN = [404, 422]
/** The number of repeated requests, after twice the time each: twelve seconds in all. */
const RETRIES = 4

function refresh(queries: QueryClient) {
  const lists = [ordersQuery().queryKey, driversQuery().queryKey, deliveriesQuery().queryKey]
  return Promise.all(lists.map((queryKey) => queries.invalidateQueries({ queryKey })))
}

/**
 * Creates the delivery and its notification, unless both have followed from the confirmation. The delivery service
 * consumes the order's event a moment later, so the call is repeated until then.
 */
function useCreateDelivery() {
  const t = useTexts()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { orderId: string; driverId: string }) => createDelivery({ body }),
    retry: (failures, error) => failures < RETRIES && !(isProblem(error) && error.status < 500 && !NOT_YET_KNOWN.includes(error.status)),
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

/** Sets statuses, and offers to confirm the remaining orders; `orders` are those on the screen. */
export function useSetStatus(orders: Order[]) {
  const t = useTexts()
  const queries = useQueryClient()
  const [remaining, setRemaining] = useState<RemainingOrders | null>(null)
  const { mutate: assignDriver } = useCreateDelivery()

  const change = useMutation({
    mutationFn: ({ order, status, driverId }: Change) =>
      setOrderStatus({
        path: { orderId: order.orderId },
        body: driverId === null ? { status } : { status, driverId },
      }),
    onMutate: async ({ order, status }) => {
      await queries.cancelQueries({ queryKey: ordersQuery().queryKey })
      const restore = changeRows<Order>(queries, ordersQuery().queryKey, (row) =>
        row._id === order._id ? { ...row, status } : row,
      )
      return { restore }
    },
    onSuccess: (_, { order, status, driverId }) => {
      toast.success(t('owner.statusUpdated', { status: t(`owner.${status}`) }))
      const others = remainingOrders(order, orders)
      if (status !== 'confirmed' || driverId === null) return
      if (others.length > 0) setRemaining({ orders: others, driverId })
      assignDriver({ orderId: order.orderId, driverId })
    },
    onError: (error, _, kept) => {
      console.error(error)
      kept?.restore()
      toast.error(t('owner.statusFailed'))
    },
    onSettled: () => refresh(queries),
  })

  return {
    remaining,
    dismissRemaining: () => {
      setRemaining(null)
    },
    confirmRemaining: async () => {
      if (remaining === null) return
      setRemaining(null)
      for (const order of remaining.orders) {
        await change.mutateAsync({ order, status: 'confirmed', driverId: remaining.driverId }).catch(() => null)
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
