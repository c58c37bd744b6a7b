import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { useSessionUser } from '@/lib/session'

/** Forgets one user's data before the next one signs in, in any tab. */
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
