import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { useSessionUser } from '@/lib/session'

/** Resets all queries when the user changes, in any tab. */
export function ResetQueriesOnUserChange() {
  const queries = useQueryClient()
  const userId = useSessionUser()?.id ?? null
  const lastUserId = useRef(userId)
  useEffect(() => {
    if (lastUserId.current === userId) return
    lastUserId.current = userId
    void queries.resetQueries()
  }, [queries, userId])
  return null
}
