import { type ReactNode, useEffect, useState } from 'react'

import { serviceUrl } from '@/lib/config'
import { fetchCode } from '@/lib/lazy-part'
import { useAfterFirstPaint } from '@/lib/render-timing'

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
  const isSignedIn = userId !== null
  const painted = useAfterFirstPaint()

  // Guests need no connection and none of its code. Users get both once the page is painted.
  useEffect(() => {
    if (!isSignedIn || !painted || client !== null) return
    let isUnmounted = false
    const connect = async () => {
      const { LiveClient } = await fetchCode(() => import('./client'))
      if (!isUnmounted) setClient(new LiveClient({ url: liveUrl, token }))
    }
    connect().catch((cause: unknown) => {
      console.error(cause)
    })
    return () => {
      isUnmounted = true
    }
  }, [isSignedIn, painted, client, token])

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
