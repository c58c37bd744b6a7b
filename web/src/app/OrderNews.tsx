import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import { ordersQuery } from '@/api/orders'
import { useTexts } from '@/lib/texts'
import { statusLabel } from '@/ui/StatusBadge'
import { toast } from '@/ui/toast'

/** The time that a change stays in the tab's title, in milliseconds; longer while the tab is hidden. */
const IN_TITLE = 8_000

/**
 * Shows a customer on any page how their orders progress. The list is compared with the previous one, so
 * changes without a connection are shown as well.
 */
export function OrderNews() {
  const t = useTexts()
  const { data: orders } = useQuery(ordersQuery())
  const known = useRef<Map<string, string> | null>(null)
  const [news, setNews] = useState<string | null>(null)

  useEffect(() => {
    if (orders === undefined) return
    const before = known.current
    known.current = new Map(orders.map((order) => [order._id, order.status]))
    if (before === null) return
    for (const { _id, orderId, status } of orders) {
      const was = before.get(_id)
      if (was === undefined || was === status) continue
      const text = t('app.orderNow', { order: orderId, status: statusLabel(status) })
      toast.news(text)
      setNews(text)
    }
  }, [orders, t])

  useEffect(() => {
    if (news === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const whenSeen = () => {
      if (document.visibilityState === 'visible') timer ??= setTimeout(() => { setNews(null) }, IN_TITLE)
    }
    whenSeen()
    document.addEventListener('visibilitychange', whenSeen)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', whenSeen)
    }
  }, [news])

  return news === null ? null : <title key={news}>{`${news} · Tiffin`}</title>
}
