import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import type { Order } from '@/api/generated/types.gen'
import { ordersQuery } from '@/api/orders'
import { useTexts } from '@/lib/texts'
import { statusLabel } from '@/ui/StatusBadge'
import { toast } from '@/ui/toast'

/** The time that a change stays in the tab's title, in milliseconds; longer while the tab is hidden. */
const TITLE_DURATION = 8_000

/**
 * Notifies a customer on any page of each new status of their orders. It compares the list with the previous
 * one, so changes during a lost connection are reported, too.
 */
export function OrderStatusNotifier() {
  const t = useTexts()
  const { data: orders } = useQuery(ordersQuery())
  const knownStatuses = useRef<Map<string, string> | null>(null)
  const [statusChange, setStatusChange] = useState<string | null>(null)

  useEffect(() => {
    if (orders === undefined) return
    const before = knownStatuses.current
    knownStatuses.current = new Map(orders.map((order) => [order._id, order.status]))
    if (before === null) return
    const isNew = ({ _id, status }: Order) => before.has(_id) && before.get(_id) !== status
    for (const order of orders.filter(isNew)) {
      const { orderId, status } = order
      // The orders of a ticket change together: the first one that gets there speaks for all.
      const isSaid = orders.some(
        (other) =>
          other.checkoutId === order.checkoutId &&
          other.restaurantId === order.restaurantId &&
          other.status === status &&
          (before.get(other._id) === status || (isNew(other) && other._id < order._id)),
      )
      if (isSaid) continue
      const text = t('app.orderNow', { order: orderId, status: statusLabel(status) })
      toast.info(text)
      setStatusChange(text)
    }
  }, [orders, t])

  useEffect(() => {
    if (statusChange === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const clearOnceVisible = () => {
      if (document.visibilityState === 'visible') timer ??= setTimeout(() => { setStatusChange(null) }, TITLE_DURATION)
    }
    clearOnceVisible()
    document.addEventListener('visibilitychange', clearOnceVisible)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', clearOnceVisible)
    }
  }, [statusChange])

  return statusChange === null ? null : <title key={statusChange}>{`${statusChange} · Tiffin`}</title>
}
