import { type ReactNode, Suspense } from 'react'

import { exchangeToken, freshToken } from '@/api/refresh'
import { lazyPart } from '@/lib/lazy-part'
import { LiveProvider } from '@/lib/live/LiveProvider'
import { useSessionUser } from '@/lib/session'

const HintListener = lazyPart(async () => ({ default: (await import('./HintListener')).HintListener }))

function tokenForSocket(renew: boolean): Promise<string | null> {
  return renew ? exchangeToken() : freshToken()
}

/** The tab's live connection, for a user who is signed in and verified. */
export function Live({ children }: { children: ReactNode }) {
  const user = useSessionUser()
  const userId = user?.emailVerified === true ? user.id : null
  return (
    <LiveProvider userId={userId} token={tokenForSocket}>
      {userId !== null && (
        <Suspense>
          <HintListener key={userId} isCustomer={user?.role === 'customer'} />
        </Suspense>
      )}
      {children}
    </LiveProvider>
  )
}
