import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'

import { deliveriesQuery } from '@/api/deliveries'
import { recordPositions, updateDeliveryStatus, updateTicketStatus } from '@/api/generated/sdk.gen'
import { ordersQuery } from '@/api/orders'
import { messageOf } from '@/api/problem'
import { connectivity } from '@/lib/connectivity'
import { useLiveState } from '@/lib/live/hooks'
import { session, useSessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { statusLabel } from '@/ui/StatusBadge'
import { toast } from '@/ui/toast'

import { OutboxContext } from './context'
import { Outbox } from './outbox'
import { deliveriesOf, type KeptChange } from './store'

/** Throws if another account signed in, in whichever tab: what is kept is not its own. */
function requireUser(userId: string) {
  if (session.user()?.id !== userId) throw new Error('Another account is signed in.')
}

/** Sends what the driver's device has kept, on whichever page of the panel they are. */
export function OutboxProvider({ children }: { children: ReactNode }) {
  const t = useTexts()
  const queries = useQueryClient()
  const userId = useSessionUser()?.id
  const [outbox, setOutbox] = useState<Outbox | null>(null)
  const isLive = useLiveState() === 'live'
  const { queryKey } = deliveriesQuery()

  const refresh = () => {
    for (const stale of [queryKey, ordersQuery().queryKey]) void queries.invalidateQueries({ queryKey: stale })
  }
  const onSent = useEffectEvent((change: KeptChange) => {
    const { orderId, status } = change
    const moved = new Set(deliveriesOf(change))
    // The list shows the new status until it is fetched again.
    void queries.cancelQueries({ queryKey })
    queries.setQueryData(queryKey, (all) => all?.map((one) => (moved.has(one._id) ? { ...one, status } : one)))
    toast.success(`${orderId}: ${statusLabel(status)}`)
    refresh()
  })
  const onRefused = useEffectEvent(({ orderId, status }: KeptChange, error: unknown) => {
    console.error(error)
    const reason = messageOf(error, t('driver.statusFailed'))
    toast.error(t('driver.changeRefused', { order: orderId, status: statusLabel(status), reason }))
    refresh()
  })

  // The device's store and the network are outside React.
  useEffect(() => {
    if (userId === undefined) return
    const opened = new Outbox({
      userId,
      sendPositions: async (positions) => {
        requireUser(userId)
        await recordPositions({ body: { positions } })
      },
      sendChange: async ({ deliveryId: id, status, ticket, key }) => {
        requireUser(userId)
        const headers = { 'Idempotency-Key': key }
        if (ticket === undefined) await updateDeliveryStatus({ path: { id }, body: { status }, headers })
        else await updateTicketStatus({ path: { id }, body: { status, from: ticket.from }, headers })
      },
      onSent: (change) => onSent(change),
      onRefused: (change, error) => onRefused(change, error),
    })
    let isStopped = false
    // Without a store the page works and says that it can't keep a change.
    const offer = () => {
      if (!isStopped) setOutbox(opened)
    }
    opened.opened.then(offer, offer)
    const unsubscribe = connectivity.subscribe(() => {
      if (connectivity.get() === 'reached') opened.flush()
    })
    return () => {
      isStopped = true
      unsubscribe()
      opened.stop()
      setOutbox(null)
    }
  }, [userId])
  useEffect(() => {
    if (isLive) outbox?.flush()
  }, [isLive, outbox])

  return <OutboxContext value={outbox}>{children}</OutboxContext>
}
