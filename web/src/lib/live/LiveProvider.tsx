import { type ReactNode, useEffect, useState } from 'react'

import { serviceUrl } from '@/lib/config'
import { useOncePainted } from '@/lib/soon'

import type { LiveClient } from './client'
import { LiveContext } from './context'

interface Props {
  /** The signed-in user; another one starts a new connection, and null ends it. */
  userId: string | null
  /** A token to sign in with, a new one if `renew`; null without a session. The first one given is kept. */
  token: (renew: boolean) => Promise<string | null>
  children: ReactNode
}

/** Keeps the tab's one live connection during a session. */
export function LiveProvider({ userId, token, children }: Props) {
  const [client, setClient] = useState<LiveClient | null>(null)
  const someone = userId !== null
  const painted = useOncePainted()

  // Guests need no connection, and so not its code either; everybody else reads the page first.
  useEffect(() => {
    if (!someone || !painted || client !== null) return
    let left = false
    const make = async () => {
      const { LiveClient } = await import('./client')
      if (!left) setClient(new LiveClient({ url: liveUrl, token }))
    }
    make().catch((cause: unknown) => {
      console.error(cause)
    })
    return () => {
      left = true
    }
  }, [someone, painted, client, token])

  useEffect(() => {
    if (client === null || userId === null) return
    client.start()
    return () => {
      client.stop()
    }
  }, [client, userId])

  return <LiveContext value={client}>{children}</LiveContext>
}

function liveUrl(): string {
  const base = serviceUrl('live')
  const url = new URL('/live', base === '' ? window.location.origin : base)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}
