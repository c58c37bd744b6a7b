import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'

import { notificationsQuery } from '@/api/notifications'
import { useSessionUser } from '@/lib/session'
import { loadTexts } from '@/lib/texts'

import { BellButton } from './BellButton'

const load = async () => {
  const [{ BellPanel }] = await Promise.all([import('./BellPanel'), loadTexts('notifications')])
  return { default: BellPanel }
}
const BellPanel = lazy(load)

/** The notifications, which are fetched when somebody reaches for them. */
export function Bell() {
  const user = useSessionUser()
  const [wanted, setWanted] = useState(false)
  const { data } = useQuery({ ...notificationsQuery(), enabled: user?.emailVerified === true })
  if (user === null) return null

  const unread = data?.filter((one) => !one.read).length ?? 0
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
