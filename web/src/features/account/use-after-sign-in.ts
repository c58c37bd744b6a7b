import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod'

import { homeOf, paths } from '@/lib/paths'
import { session, type SessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

// `from`: the page that required a sign-in. `email`: an address that was just verified.
const stateSchema = z.object({ from: z.string().startsWith('/').optional(), email: z.string().optional() })

/** Sends a user on after sign-in: to the verification, to their panel, or to the page that asked for the sign-in. */
export function useAfterSignIn() {
  const t = useTexts()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const state = stateSchema.safeParse(useLocation().state).data
  return {
    /** The address that was just verified. */
    email: state?.email ?? '',
    onSignedIn: async ({ token, user }: { token: string; user: SessionUser }) => {
      queries.clear()
      session.start(token, user)
      if (!user.emailVerified) {
        toast.error(t('account.verifyFirst'))
        await navigate(paths.verifyEmail(), { replace: true })
        return
      }
      if (user.mustEnrol === true) {
        await navigate(paths.twoStep(), { replace: true })
        return
      }
      // Staff always start in their panel.
      const target = user.role === 'customer' ? (state?.from ?? homeOf(user.role)) : homeOf(user.role)
      await navigate(target, { replace: true })
    },
  }
}
