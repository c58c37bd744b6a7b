import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import { deliveriesQuery } from '@/api/deliveries'
import type { Order } from '@/api/generated/types.gen'
import { codesOf } from '@/api/tickets'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

import { playOrderSound } from './order-sound'
import { isPromised, type Ticket, ticketsOf } from './tickets'

/** The same for all statuses of a ticket. */
function tripOf({ orders: [{ checkoutId, restaurantId }] }: Ticket): string {
  return `${checkoutId} ${restaurantId}`
}

/** Announces each ticket that passes its promise while the panel is open, once: by a sound and a message. */
export function useOverdueAlert(orders: Order[] | undefined) {
  const t = useTexts()
  const { data: deliveries } = useQuery(deliveriesQuery())
  const [opened] = useState(() => Date.now())
  const [alerted, setAlerted] = useState(opened)
  const announced = useRef(new Set<string>())

  // A timer, a sound and a message are outside React.
  useEffect(() => {
    if (orders === undefined || deliveries === undefined) return
    const expected = ticketsOf(orders, deliveries).filter(
      (ticket) => isPromised(ticket) && ticket.due > opened && !announced.current.has(tripOf(ticket)),
    )
    const [next] = expected
    if (next === undefined) return
    const timer = setTimeout(() => {
      const now = Date.now()
      const overdue = expected.filter(({ due }) => due <= now)
      const [first] = overdue
      // A timer may be early by a millisecond.
      if (first !== undefined) {
        for (const ticket of overdue) announced.current.add(tripOf(ticket))
        playOrderSound()
        toast.info(t('owner.overdue', { count: overdue.length, order: codesOf(first.orders) }))
      }
      setAlerted(now)
    }, next.due - Date.now())
    return () => {
      clearTimeout(timer)
    }
  }, [orders, deliveries, opened, alerted, t])
}
