import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { useSessionUser } from '@/lib/session'

/** What one user was shown is not kept for the next, whichever tab somebody signs in or out in. */
export function Forget() {
  const queries = useQueryClient()
  const userId = useSessionUser()?.id ?? null
  const last = useRef(userId)
  useEffect(() => {
    if (last.current === userId) return
    last.current = userId
    void queries.resetQueries()
  }, [queries, userId])
  return null
}
