import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'

import { unreadQuery } from '@/api/notifications'
import { useSessionUser } from '@/lib/session'
import { useAfterFirstPaint } from '@/lib/render-timing'
import { loadTexts } from '@/lib/texts'

import { BellButton } from './BellButton'

const load = async () => {
  const [{ BellPanel }] = await Promise.all([import('./BellPanel'), loadTexts('notifications')])
  return { default: BellPanel }
}
const BellPanel = lazy(load)

/** The number of unread notifications; the list is fetched on demand. */
export function Bell() {
  const user = useSessionUser()
  const [wanted, setWanted] = useState(false)
  const painted = useAfterFirstPaint()
  const { data: unread = 0 } = useQuery({ ...unreadQuery(), enabled: painted && user?.emailVerified === true })
  if (user === null) return null

  const fetch = () => void load()
  const button = (
    <BellButton
      unread={unread}
      onPointerEnter={fetch}
      onFocus={fetch}
      onClick={() => {
        setWanted(true)
      }}
    />
  )
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <BellPanel role={user.role} />
    </Suspense>
  )
}
