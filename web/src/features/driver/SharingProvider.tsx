import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'

import type { DevicePosition } from '@/lib/live/frames'
import { useSendPosition, useTopic } from '@/lib/live/hooks'
import { PositionSource } from '@/ui/map/position-source'

import { useNewDeliveryAlerts } from './use-new-delivery-alerts'
import { keepAwake, type PositionError, type PositionFailure, watchPosition } from './device'
import { useOutbox } from './outbox/context'
import { useLock } from './outbox/use-lock'
import { PositionThrottle } from './position-throttle'
import { noAcknowledgement, SharingContext } from './sharing'
import { useDriverDeliveries } from './use-driver-deliveries'

/** Kept for the tab, so that a reload under way does not stop the sharing. */
const STORAGE_KEY = 'sharing'
/** Kept for the tab, so that a reload without network does not stop it either. */
const UNDER_WAY_KEY = 'under way'
/** Names the lock of the tab that measures and sends positions. */
const LOCK = 'driver-position'

/** Streams the device's position while its owner wants it, on whichever page of the panel they are. */
export function SharingProvider({ children }: { children: ReactNode }) {
  const [on, setOn] = useState(() => sessionStorage.getItem(STORAGE_KEY) === 'on')
  const [failure, setFailure] = useState<PositionFailure | null>(null)
  const [isResting, setResting] = useState(false)
  const [acknowledgement, setAcknowledgement] = useState(noAcknowledgement)
  const [positionSource] = useState(() => new PositionSource())
  const [throttle] = useState(() => new PositionThrottle())
  const [wasUnderWay] = useState(() => sessionStorage.getItem(UNDER_WAY_KEY) === 'yes')
  const { data } = useDriverDeliveries()
  const underWay = data?.find((delivery) => delivery.status !== 'delivered')
  const send = useSendPosition()
  const outbox = useOutbox()
  useNewDeliveryAlerts(data)

  const set = (next: boolean) => {
    sessionStorage.setItem(STORAGE_KEY, next ? 'on' : 'off')
    setFailure(null)
    setOn(next)
  }
  const onPosition = useEffectEvent((position: DevicePosition) => {
    setFailure(null)
    positionSource.push(position)
    if (throttle.shouldSend(position)) outbox?.keepPosition(position, send?.(position) ?? false)
    setResting(throttle.isResting(position))
  })
  const onFailure = useEffectEvent((reason: PositionError) => {
    if (reason.final) set(false)
    setFailure(reason.failure)
  })

  // The driver watches the same topic as the customer: a position that comes back is acknowledged.
  useTopic(on && underWay !== undefined ? `delivery:${underWay._id}` : null, (frame) => {
    if (frame.type !== 'position') return
    outbox?.acknowledge(frame.at)
    setAcknowledgement(({ count }) => ({ count: count + 1, at: frame.at }))
  })

  const isNeeded = data === undefined ? wasUnderWay : underWay !== undefined
  useEffect(() => {
    if (data !== undefined) sessionStorage.setItem(UNDER_WAY_KEY, isNeeded ? 'yes' : 'no')
  }, [data, isNeeded])
  // Not before positions can be kept: an earlier one would be lost, and a device at rest reports no other.
  const streaming = useLock(LOCK, on && isNeeded && outbox !== null && send !== null)
  useEffect(() => {
    if (!streaming) return
    return watchPosition({ onPosition: (position) => onPosition(position), onFailure: (reason) => onFailure(reason), isResting })
  }, [streaming, isResting])
  useEffect(() => (streaming ? keepAwake() : undefined), [streaming])

  return <SharingContext value={{ on, set, failure, isNeeded, positionSource, acknowledgement }}>{children}</SharingContext>
}
