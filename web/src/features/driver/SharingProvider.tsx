import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'

import { deliveriesQuery } from '@/api/deliveries'
import type { DevicePosition } from '@/lib/live/frames'
import { useSendPosition, useTopic } from '@/lib/live/hooks'
import { PositionSource } from '@/ui/map/position-source'

import { useNewDeliveryAlerts } from './use-new-delivery-alerts'
import { keepAwake, type PositionError, type PositionFailure, watchPosition } from './device'
import { PositionThrottle } from './position-throttle'
import { noAcknowledgement, SharingContext } from './sharing'

/** Kept for the tab, so that a reload under way does not stop the sharing. */
const STORAGE_KEY = 'sharing'

/** Streams the device's position while its owner wants it, on whichever page of the panel they are. */
export function SharingProvider({ children }: { children: ReactNode }) {
  const [on, setOn] = useState(() => sessionStorage.getItem(STORAGE_KEY) === 'on')
  const [failure, setFailure] = useState<PositionFailure | null>(null)
  const [isResting, setResting] = useState(false)
  const [acknowledgement, setAcknowledgement] = useState(noAcknowledgement)
  const [positionSource] = useState(() => new PositionSource())
  const [throttle] = useState(() => new PositionThrottle())
  const { data } = useQuery(deliveriesQuery())
  const underWay = data?.find((delivery) => delivery.status !== 'delivered')
  const send = useSendPosition()
  useNewDeliveryAlerts(data)

  const set = (next: boolean) => {
    sessionStorage.setItem(STORAGE_KEY, next ? 'on' : 'off')
    setFailure(null)
    setOn(next)
  }
  const onPosition = useEffectEvent((position: DevicePosition) => {
    setFailure(null)
    positionSource.push(position)
    if (send !== null && throttle.shouldSend(position)) send(position)
    setResting(throttle.isResting(position))
  })
  const onFailure = useEffectEvent((reason: PositionError) => {
    if (reason.final) set(false)
    setFailure(reason.failure)
  })

  // The driver watches the same topic as the customer: a position that comes back is acknowledged.
  useTopic(on && underWay !== undefined ? `delivery:${underWay._id}` : null, (frame) => {
    if (frame.type === 'position') setAcknowledgement(({ count }) => ({ count: count + 1, at: frame.at }))
  })

  const isNeeded = underWay !== undefined
  // Not before positions can be sent: an earlier one would be lost, and a device at rest reports no other.
  const streaming = on && isNeeded && send !== null
  useEffect(() => {
    if (!streaming) return
    return watchPosition({ onPosition: (position) => onPosition(position), onFailure: (reason) => onFailure(reason), isResting })
  }, [streaming, isResting])
  useEffect(() => (streaming ? keepAwake() : undefined), [streaming])

  return <SharingContext value={{ on, set, failure, isNeeded, positionSource, acknowledgement }}>{children}</SharingContext>
}
