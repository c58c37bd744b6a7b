import { serviceUrl } from '@/lib/config'
import { serviceOf } from '@/lib/services'
import { requestProof } from '@/lib/proof'
import { reportReachable } from '@/lib/connectivity'
import { session } from '@/lib/session'

import { Problem, remedyOf } from './problem'
import { exchangeToken, freshToken } from './refresh'

/** True if no other token would do: the user has to prove who they are again (RFC 9470). */
async function requiresProof(answer: Response): Promise<boolean> {
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => null)
  return remedyOf(body)?.reason === 'insufficient_user_authentication'
}

/**
 * Sends a call of the generated client: to the host of its service, with the token of the session,
 * once more after a proof where one is asked for, with a new token when the old one had run out, or without one when the session is over:
 * public calls still work. Anything but success is thrown as a `Problem`.
 */
export async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  const { pathname, search } = new URL(request.url)
  const service = serviceOf(pathname) ?? 'user'
  const url = `${serviceUrl(service)}${pathname}${search}`
  const body = request.method === 'GET' || request.method === 'HEAD' ? null : await request.text()

  const attempt = async (token: string | null) => {
    const headers = new Headers(request.headers)
    if (token !== null) headers.set('Authorization', `Bearer ${token}`)
    const answer = await fetch(url, {
      method: request.method,
      headers,
      body: body === '' ? null : body,
      // The refresh cookie belongs to the user service alone.
      credentials: service === 'user' ? 'include' : 'same-origin',
      signal: request.signal,
    }).catch((cause: unknown) => {
      if (!request.signal.aborted) reportReachable(false)
      throw cause
    })
    reportReachable(true)
    return answer
  }

  const isLogin = pathname.startsWith('/api/v1/users/login')
  const userId = session.user()?.id
  const token = isLogin ? null : await freshToken()
  let answer = await attempt(token)
  if (answer.status === 401 && token !== null && (await requiresProof(answer))) {
    if ((await requestProof()) && session.user()?.id === userId) answer = await attempt(session.token())
  } else if (answer.status === 401 && token !== null) {
    const stored = session.token()
    const next = stored !== null && stored !== token ? stored : await exchangeToken()
    // A user who signed in meanwhile did not make this request.
    if (next === null || session.user()?.id === userId) answer = await attempt(next)
  }
  if (answer.ok) return answer
  throw new Problem(answer.status, await answer.json().catch(() => null))
}
