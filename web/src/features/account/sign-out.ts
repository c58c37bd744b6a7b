import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import { logout } from '@/api/generated/sdk.gen'
import { paths } from '@/lib/paths'
import { session } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

/** Ends the session here and, when it can be reached, at the user service. */
export function useSignOut(): () => Promise<void> {
  const t = useTexts()
  const navigate = useNavigate()
  const queries = useQueryClient()
  return async () => {
    try {
      await logout()
    } catch {
      // Offline or already over: this browser forgets the session all the same.
    }
    // The page is left first, so that its guard does not remember it for the next who signs in.
    await navigate(paths.login(), { replace: true })
    session.clear()
    queries.clear()
    toast.success(t('account.loggedOut'))
  }
}
