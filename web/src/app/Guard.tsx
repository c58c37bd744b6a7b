import { type ReactNode, useState } from 'react'
import { Navigate, useLocation } from 'react-router'

import { homeOf, paths } from '@/lib/paths'
import { type SessionUser, useSessionUser, useToken } from '@/lib/session'

interface Props {
  /** The role that passes, or several. */
  role: string | readonly string[]
  children: ReactNode
}

/** An administrator may operate the event history, too. */
function rolesOf({ role, isOperator }: SessionUser): string[] {
  return role === 'admin' && isOperator === true ? ['admin', 'operator'] : [role]
}

/** Lets a role pass; sends guests to the login and other roles to their own pages. */
export function Guard({ role, children }: Props) {
  const user = useSessionUser()
  const token = useToken()
  const [wasSignedIn] = useState(user !== null)
  const { pathname, search } = useLocation()
  if (user === null || token === null) {
    // A user who signs out is on their way already, and the next one must not land on their page.
    if (window.location.pathname !== pathname) return null
    return <Navigate to={paths.login()} replace state={{ from: pathname + search, wasSignedIn }} />
  }
  if (!user.emailVerified) return <Navigate to={paths.verifyEmail()} replace />
  if (user.mustEnrol === true) return <Navigate to={paths.twoStep()} replace />
  if (!rolesOf(user).some((one) => [role].flat().includes(one))) return <Navigate to={homeOf(user.role)} replace />
  return children
}
