import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { deliveriesQuery, deliveryLocationQuery } from '@/api/deliveries'
import type { Delivery } from '@/api/generated/types.gen'
import { ordersQuery } from '@/api/orders'
import { useLiveState, useTopic } from '@/lib/live/hooks'
import { useAfterFirstPaint } from '@/lib/render-timing'
import { PositionSource } from '@/ui/map/position-source'
import { isKnown } from '@/ui/map/geo'

/** The interval of requests for the position while there is no socket, in milliseconds. */
const POLL_INTERVAL = 10_000

/**
 * Watches a delivery. Positions go to the returned source, other frames invalidate the lists of deliveries and
 * orders. The source belongs to one delivery: a component that changes its delivery needs a `key`.
 */
export function useDriverPosition(delivery: Delivery): PositionSource {
  const [source] = useState(() => new PositionSource())
  const queries = useQueryClient()
  const state = useLiveState()
  const underWay = delivery.status !== 'delivered'
  const painted = useAfterFirstPaint()

  const location = useQuery({
    ...deliveryLocationQuery(delivery._id),
    enabled: underWay && painted,
    refetchInterval: state === 'lost' ? POLL_INTERVAL : false,
  })

  useTopic(`delivery:${delivery._id}`, (frame) => {
    if (frame.type === 'position' && isKnown(frame)) source.push(frame)
    if (frame.type === 'event' || (frame.type === 'watching' && frame.again)) {
      void queries.invalidateQueries({ queryKey: deliveriesQuery().queryKey })
      void queries.invalidateQueries({ queryKey: ordersQuery().queryKey })
    }
  })

  useEffect(() => {
    const last = location.data
    if (last?.at && isKnown(last)) source.push({ lat: last.lat, lng: last.lng, at: last.at })
  }, [source, location.data])

  return source
}
