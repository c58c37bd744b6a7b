import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import * as v from 'valibot'

import { homeOf, paths } from '@/lib/paths'
import { session, type SessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

// `from`: the page that required a sign-in. `wasSignedIn`: true if a session ended on it.
// `email`: an address that was just verified.
const stateSchema = v.object({
  from: v.optional(v.pipe(v.string(), v.startsWith('/'))),
  wasSignedIn: v.optional(v.boolean()),
  email: v.optional(v.string()),
})

/** Sends a user on after sign-in: to the verification, to their panel, or to the page that asked for the sign-in. */
export function useAfterSignIn() {
  const t = useTexts()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const passed: unknown = useLocation().state
  const state = v.is(stateSchema, passed) ? passed : undefined
  return {
    /** The address that was just verified. */
    email: state?.email ?? '',
    /** True if the session ended on the page that asked for the sign-in. */
    isOver: state?.wasSignedIn ?? false,
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
