import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'

import { deliveriesQuery } from '@/api/deliveries'
import type { DevicePosition } from '@/lib/live/frames'
import { useSendPosition, useTopic } from '@/lib/live/hooks'
import { FixFeed } from '@/ui/map/fixes'

import { useAssignments } from './assignments'
import { keepAwake, type NoPosition, type Trouble, watchFixes } from './device'
import { Rate } from './rate'
import { nothingAcknowledged, SharingContext } from './sharing'

/** Kept for the tab, so that a reload under way does not stop the sharing. */
const KEPT = 'sharing'

/** Streams the device's position while its owner wants it, on whichever page of the panel they are. */
export function SharingProvider({ children }: { children: ReactNode }) {
  const [on, setOn] = useState(() => sessionStorage.getItem(KEPT) === 'on')
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [rests, setRests] = useState(false)
  const [acknowledged, setAcknowledged] = useState(nothingAcknowledged)
  const [feed] = useState(() => new FixFeed())
  const [rate] = useState(() => new Rate())
  const { data } = useQuery(deliveriesQuery())
  const underWay = data?.find((delivery) => delivery.status !== 'delivered')
  const send = useSendPosition()
  useAssignments(data)

  const set = (next: boolean) => {
    sessionStorage.setItem(KEPT, next ? 'on' : 'off')
    setTrouble(null)
    setOn(next)
  }
  const onFix = useEffectEvent((fix: DevicePosition) => {
    setTrouble(null)
    feed.push(fix)
    if (rate.admits(fix)) send(fix)
    setRests(rate.rests(fix))
  })
  const onFailure = useEffectEvent((reason: NoPosition) => {
    if (reason.final) set(false)
    setTrouble(reason.trouble)
  })

  // Who brings a delivery hears what its customer hears: that is the receipt.
  useTopic(on && underWay !== undefined ? `delivery:${underWay._id}` : null, (frame) => {
    if (frame.type === 'position') setAcknowledged(({ count }) => ({ count: count + 1, at: frame.at }))
  })

  const wanted = underWay !== undefined
  const streaming = on && wanted
  useEffect(() => {
    if (!streaming) return
    return watchFixes({ onFix: (fix) => onFix(fix), onFailure: (reason) => onFailure(reason), rests })
  }, [streaming, rests])
  useEffect(() => (streaming ? keepAwake() : undefined), [streaming])

  return <SharingContext value={{ on, set, trouble, wanted, feed, acknowledged }}>{children}</SharingContext>
}
