import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'

import { deliveriesQuery } from '@/api/deliveries'
import { driversQuery } from '@/api/drivers'
import { createDelivery, createNotification, setTicketStatus } from '@/api/generated/sdk.gen'
import type { Order } from '@/api/generated/types.gen'
import { ordersQuery } from '@/api/orders'
import { isProblem } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

import { holdDriver, isTaken } from './hold-driver'
import { changeOrders } from './orders'
import { isOwnerStatus, needsDriver, type OwnerStatus } from './status'
import { showFollowed, showStep } from './step-toast'
import { ticketOf } from './tickets'

interface Change {
  /** The orders of a ticket that have one status. */
  orders: [Order, ...Order[]]
  status: OwnerStatus
  /** Their status now; that of the orders if it is left out. */
  from?: OwnerStatus
  driverId: string | null
  /** Left out where the driver is held for the orders already. */
  hold?: 'unless-taken' | 'knowingly'
}

/** A change that was made, and the status before it. */
export interface Undoable {
  orders: [Order, ...Order[]]
  before: OwnerStatus
  status: OwnerStatus
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
    mutationFn: ({ orderId, driverId }: { orderId: string; driverId: string; said: string }) => createDelivery({ body: { orderId, driverId } }),
    retry: (failures, error) => failures < RETRIES && !(isProblem(error) && error.status < 500 && !NOT_YET_KNOWN.includes(error.status)),
    retryDelay: (failures) => 800 * 2 ** failures,
    onSuccess: (_, { orderId, said }) => {
      showFollowed(said, t('owner.statusUpdated', { status: t('owner.confirmed') }), t('owner.deliverySaved'))
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

/** Sets statuses of whole tickets, each by one call: all of its orders take the step, or none. `shown` are the orders on the screen. */
export function useSetStatus(shown: Order[]) {
  const t = useTexts()
  const queries = useQueryClient()
  const [undoable, setUndoable] = useState<Undoable | null>(null)
  const [taken, setTaken] = useState<Change | null>(null)
  const { mutate: assignDriver } = useCreateDelivery()

  const change = useMutation({
    mutationKey: ordersQuery().queryKey,
    mutationFn: async ({ orders, status, driverId, hold, ...change }: Change) => {
      if (driverId !== null && hold !== undefined) await holdDriver(orders, driverId, hold === 'knowingly')
      const [{ orderId, ...first }] = orders
      const from = change.from ?? first.status
      await setTicketStatus({ path: { orderId }, body: driverId === null ? { status, from } : { status, from, driverId } })
    },
    onMutate: async ({ orders, status }) => {
      await queries.cancelQueries({ queryKey: ordersQuery().queryKey })
      setUndoable(null)
      const ids = new Set(orders.map(({ _id }) => _id))
      return { restore: changeOrders(queries, (order) => (ids.has(order._id) ? { ...order, status } : order)) }
    },
    onSuccess: (_, { orders, status, driverId }) => {
      const said = showStep(t('owner.statusUpdated', { status: t(`owner.${status}`) }))
      const [first] = orders
      if (isOwnerStatus(first.status) && first.status !== status) setUndoable({ orders, before: first.status, status })
      if (status !== 'confirmed' || driverId === null) return
      // The deliveries of the other orders follow with it.
      assignDriver({ orderId: first.orderId, driverId, said })
    },
    onError: (error, refused, kept) => {
      console.error(error)
      kept?.restore()
      if (isTaken(error)) {
        setTaken(refused)
        return
      }
      toast.error(t('owner.statusFailed'))
    },
    onSettled: () => refresh(queries),
  })

  const dismissUndo = useCallback(() => {
    setUndoable(null)
  }, [])
  return {
    /** The confirmation that was refused because another restaurant picked its driver. */
    taken,
    dismissTaken: () => {
      setTaken(null)
    },
    confirmTaken: () => {
      if (taken === null) return
      setTaken(null)
      change.mutate({ ...taken, hold: 'knowingly' })
    },
    /** Confirms orders with a driver who is held for them. */
    confirmHeld: (orders: [Order, ...Order[]], driverId: string) => {
      change.mutate({ orders, status: 'confirmed', driverId })
    },
    /** Sets the status of an order's ticket, unless a driver is missing: then nothing is called. */
    set: (order: Order, status: OwnerStatus, driverId: string | null) => {
      const orders = ticketOf(order, shown)
      if (orders.some((order) => needsDriver(status, order, driverId))) {
        toast.error(t('owner.selectDriverFirst'))
        return
      }
      change.mutate({ orders, status, driverId: status === 'confirmed' ? driverId : null, hold: 'unless-taken' })
    },
    undoable,
    undo: () => {
      if (undoable === null) return
      const { orders, status: from, before } = undoable
      change.mutate({ orders, from, status: before, driverId: null })
    },
    dismissUndo,
    busy: change.isPending ? change.variables.orders.map(({ _id }) => _id) : [],
  }
}
