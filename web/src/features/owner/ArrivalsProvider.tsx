import { type ReactNode, useEffect, useRef, useState } from 'react'

import type { Order } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'
import { TitleBadge } from '@/ui/Page'
import { toast } from '@/ui/toast'

import { ArrivalsContext } from './arrivals'
import { armChime, ring } from './chime'
import { useOwnerOrders } from './orders'

const none: ReadonlySet<string> = new Set()

/** Ids begin with their moment, so the greatest is the newest. */
function newestOf(orders: Order[]): string {
  return orders.reduce((newest, { _id }) => (_id > newest ? _id : newest), '')
}

/** Notices orders as they come, on whichever page of the panel the owner is: by a sound, a message and the title. */
export function ArrivalsProvider({ children }: { children: ReactNode }) {
  const t = useTexts()
  const { orders } = useOwnerOrders()
  const newest = useRef<string | null>(null)
  const [fresh, setFresh] = useState(none)

  useEffect(() => armChime(), [])

  // A sound and a message are outside React.
  useEffect(() => {
    if (orders === undefined) return
    const before = newest.current
    newest.current = newestOf(orders)
    if (before === null) return
    const came = orders.filter(({ _id, status }) => _id > before && status === 'pending')
    if (came.length === 0) return
    setFresh(new Set(came.map(({ _id }) => _id)))
    ring()
    toast.success(t('owner.newOrders', { count: came.length }))
  }, [orders, t])

  const waiting = orders?.filter(({ status }) => status === 'pending').length ?? 0
  return (
    <ArrivalsContext value={fresh}>
      <TitleBadge value={waiting}>{children}</TitleBadge>
    </ArrivalsContext>
  )
}
