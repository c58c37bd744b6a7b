import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'

import { itemsQuery, restaurantsQuery } from '@/api/catalogue'
import { deliveriesQuery } from '@/api/deliveries'
import { driversQuery } from '@/api/drivers'
import { lists } from '@/api/lists'
import { notificationsQuery } from '@/api/notifications'
import { ordersQuery } from '@/api/orders'
import { lazyPart } from '@/lib/lazy-part'
import type { TopicFrame } from '@/lib/live/frames'
import { useLiveState, useTopic } from '@/lib/live/hooks'

import { StaleLists } from './stale-lists'

const OrderStatusNotifier = lazyPart(async () => ({ default: (await import('./OrderStatusNotifier')).OrderStatusNotifier }))

/** The interval of refetching the lists while there is no socket, in milliseconds. */
const POLL_INTERVAL = 20_000

const ETA_CHANGED = 'tiffin.delivery.eta_changed.v1'
const DECLINED = 'tiffin.suggestion.declined.v1'

// The queries that an event makes stale, by its type or by its aggregate.
const stale: Record<string, (() => { queryKey: readonly unknown[] })[]> = {
  order: [ordersQuery, deliveriesQuery],
  delivery: [deliveriesQuery, ordersQuery],
  [ETA_CHANGED]: [deliveriesQuery],
  [DECLINED]: [deliveriesQuery],
  driver: [driversQuery],
  notification: [notificationsQuery],
  restaurant: [restaurantsQuery],
  item: [itemsQuery],
  // Dishes and restaurants are rated by their reviews.
  review: [listOf('reviews'), itemsQuery, restaurantsQuery],
  user: [listOf('users')],
  inquiry: [listOf('inquiries')],
  payment: [listOf('payments')],
}

// The lists that other people may change.
const personal = [
  ordersQuery,
  deliveriesQuery,
  driversQuery,
  notificationsQuery,
  listOf('reviews'),
  listOf('users'),
  listOf('inquiries'),
  listOf('payments'),
]

function listOf(name: keyof typeof lists) {
  return () => ({ queryKey: lists[name].key })
}

/** The data that a frame on `me` makes stale. */
export function staleAfter(frame: TopicFrame) {
  if (frame.type === 'notification') return [notificationsQuery]
  // Data that was fetched before the topic was watched, or while it was not, may be stale.
  if (frame.type === 'watching') return personal
  // Types read `tiffin.<aggregate>.<event>.v1`.
  if (frame.type !== 'event') return []
  const { type, data } = frame.event
  // A hint for administrators, which has no data. Ranges move all the time; the map watches that of the picked delivery.
  if (type === ETA_CHANGED && isEmpty(data)) return []
  return stale[type] ?? stale[type.split('.')[1] ?? ''] ?? []
}

function isEmpty(data: unknown): boolean {
  return typeof data === 'object' && data !== null && Object.keys(data).length === 0
}

/** The lists of services that follow the events of a frame's service: orders show what is paid and refunded of them. */
export function followingAfter(frame: TopicFrame) {
  return frame.type === 'event' && frame.event.type.startsWith('tiffin.payment.') ? [ordersQuery] : []
}

/** Refetches the lists that a hint on `me` concerns. */
export function HintListener({ isCustomer }: { isCustomer: boolean }) {
  const queries = useQueryClient()
  const [staleLists] = useState(() => new StaleLists(queries))
  const state = useLiveState()
  const [watching, setWatching] = useState(false)
  useTopic('me', (frame) => {
    if (frame.type === 'watching') setWatching(true)
    staleLists.add(staleAfter(frame))
    staleLists.addFollowing(followingAfter(frame))
  })

  // Polls only without a socket: behind a proxy that refuses it, or while the bridge is down.
  useEffect(() => {
    if (state !== 'lost') return
    const timer = setInterval(() => {
      staleLists.add(personal)
    }, POLL_INTERVAL)
    return () => {
      clearInterval(timer)
    }
  }, [state, staleLists])

  // Queries that started earlier would start again once the topic is watched.
  if (!isCustomer || (!watching && state !== 'lost')) return null
  return (
    <Suspense>
      <OrderStatusNotifier />
    </Suspense>
  )
}
