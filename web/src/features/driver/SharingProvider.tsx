import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'

import { deliveriesQuery } from '@/api/deliveries'
import type { DeviceFix } from '@/lib/live/frames'
import { useSendFix } from '@/lib/live/hooks'

import { keepAwake, type NoPosition, watchFixes } from './device'
import { SharingContext } from './sharing'

/** Kept for the tab, so that a reload under way does not stop the sharing. */
const KEPT = 'sharing'

/** Streams the device's position while its owner wants it, on whichever page of the panel they are. */
export function SharingProvider({ children }: { children: ReactNode }) {
  const [on, setOn] = useState(() => sessionStorage.getItem(KEPT) === 'on')
  const [trouble, setTrouble] = useState<string | null>(null)
  const { data } = useQuery(deliveriesQuery())
  const wanted = data?.some((delivery) => delivery.status !== 'delivered') ?? false
  const send = useSendFix()

  const set = (next: boolean) => {
    sessionStorage.setItem(KEPT, next ? 'on' : 'off')
    setTrouble(null)
    setOn(next)
  }
  const onFix = useEffectEvent((fix: DeviceFix) => {
    setTrouble(null)
    send(fix)
  })
  const onFailure = useEffectEvent((reason: NoPosition) => {
    if (reason.final) set(false)
    setTrouble(reason.message)
  })

  const streaming = on && wanted
  useEffect(() => {
    if (!streaming) return
    const stopWatching = watchFixes(
      (fix) => onFix(fix),
      (reason) => onFailure(reason),
    )
    const letSleep = keepAwake()
    return () => {
      stopWatching()
      letSleep()
    }
  }, [streaming])

  return <SharingContext value={{ on, set, trouble, wanted }}>{children}</SharingContext>
}
