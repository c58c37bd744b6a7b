import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { deliveriesQuery, deliveryLocationQuery } from '@/api/deliveries'
import type { Delivery } from '@/api/generated/types.gen'
import { ordersQuery } from '@/api/orders'
import { useLiveState, useTopic } from '@/lib/live/hooks'
import { useAfterFirstPaint } from '@/lib/render-timing'
import { FixFeed } from '@/ui/map/fixes'
import { isKnown } from '@/ui/map/geo'

import { type Pace, pace, unknownPace } from './eta'

/** Without a connection the position is asked for this often, in milliseconds. */
const WITHOUT_SOCKET = 10_000

/** The driver's positions as they come, with the pace they show. */
export class DriverFeed extends FixFeed {
  pace: Pace = unknownPace

  constructor() {
    super()
    this.subscribe((fix) => {
      this.pace = pace(this.pace, fix)
    })
  }
}

/**
 * Watches a delivery: positions go straight to the feed, everything else makes what is shown stale.
 * The feed belongs to one delivery; a component that changes its delivery needs a `key`.
 */
export function useDriverFeed(delivery: Delivery): DriverFeed {
  const [feed] = useState(() => new DriverFeed())
  const queries = useQueryClient()
  const state = useLiveState()
  const underWay = delivery.status !== 'delivered'
  const painted = useAfterFirstPaint()

  const location = useQuery({
    ...deliveryLocationQuery(delivery._id),
    enabled: underWay && painted,
    refetchInterval: state === 'lost' ? WITHOUT_SOCKET : false,
  })

  useTopic(`delivery:${delivery._id}`, (frame) => {
    if (frame.type === 'position' && isKnown(frame)) feed.push(frame)
    if (frame.type === 'event' || (frame.type === 'watching' && frame.again)) {
      void queries.invalidateQueries({ queryKey: deliveriesQuery().queryKey })
      void queries.invalidateQueries({ queryKey: ordersQuery().queryKey })
    }
  })

  useEffect(() => {
    const last = location.data
    if (last?.at && isKnown(last)) feed.push({ lat: last.lat, lng: last.lng, at: last.at })
  }, [feed, location.data])

  return feed
}
