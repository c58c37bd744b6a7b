import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'

import type { Order } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'
import { TitleBadge } from '@/ui/Page'
import { toast } from '@/ui/toast'

import { NewOrdersContext } from './new-orders'
import { enableOrderSound, playOrderSound } from './order-sound'
import { openOrdersQuery, pendingCount } from './orders'
import { nextReminder } from './tickets'
import { useOverdueAlert } from './use-overdue-alert'

const NO_ORDERS: ReadonlySet<string> = new Set()

/** Ids begin with their moment, so the greatest is the newest. */
function newestOf(orders: Order[], before: string): string {
  return orders.reduce((newest, { _id }) => (_id > newest ? _id : newest), before)
}

/** Announces new orders, those that still wait for an answer, and tickets that are late, on every page of the panel: by a sound, a message and the title. */
export function NewOrdersProvider({ children }: { children: ReactNode }) {
  const t = useTexts()
  const { data: orders } = useQuery(openOrdersQuery())
  const newest = useRef<string | null>(null)
  const [newOrderIds, setNewOrderIds] = useState(NO_ORDERS)

  useEffect(() => enableOrderSound(), [])

  // A sound and a message are outside React.
  useEffect(() => {
    if (orders === undefined) return
    const before = newest.current
    // An order that was delivered and taken back is not new.
    newest.current = newestOf(orders, before ?? '')
    if (before === null) return
    const newOrders = orders.filter(({ _id, status }) => _id > before && status === 'pending')
    if (newOrders.length === 0) return
    setNewOrderIds(new Set(newOrders.map(({ _id }) => _id)))
    playOrderSound()
    toast.success(t('owner.newOrders', { count: newOrders.length }))
  }, [orders, t])

  const [reminded, setReminded] = useState(0)
  // The same moments as those of the service's reminders, which reach owners whose panel is closed.
  useEffect(() => {
    const next = nextReminder(orders ?? [], Date.now())
    if (next === null) return
    const timer = setTimeout(() => {
      playOrderSound()
      toast.info(t('owner.stillWaiting', { count: next.count }))
      setReminded(next.at)
    }, next.at - Date.now())
    return () => {
      clearTimeout(timer)
    }
  }, [orders, reminded, t])

  useOverdueAlert(orders)

  return (
    <NewOrdersContext value={newOrderIds}>
      <TitleBadge value={pendingCount(orders ?? [])}>{children}</TitleBadge>
    </NewOrdersContext>
  )
}
