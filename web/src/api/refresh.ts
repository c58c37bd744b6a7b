import * as v from 'valibot'

import { serviceUrl } from '@/lib/config'
import { expiryOf, session, sessionUser } from '@/lib/session'

import { Problem } from './problem'

const refreshAnswer = v.object({ token: v.string(), user: sessionUser })

/** A token this close to its end is exchanged before it is used, in milliseconds. */
const EXPIRY_MARGIN = 30_000
/** A device whose clock runs wrong must not exchange a token that it has only just been given. */
const NEW_TOKEN_TIME = 60_000

let pendingExchange: Promise<string | null> | null = null
let newest: { token: string; at: number } | null = null

/**
 * Exchanges the access token through the refresh cookie, once however many calls ask for it.
 * Null when the session is over; it is then forgotten, the cart is not.
 */
export function exchangeToken(): Promise<string | null> {
  pendingExchange ??= exchange().finally(() => {
    pendingExchange = null
  })
  return pendingExchange
}

/** A token good for at least half a minute; null without a session. */
export async function freshToken(): Promise<string | null> {
  const token = session.token()
  if (token === null) return null
  const expiry = expiryOf(token)
  const now = Date.now()
  const isNew = newest?.token === token && now - newest.at < NEW_TOKEN_TIME
  if (expiry === null || expiry - now > EXPIRY_MARGIN || isNew) return token
  return exchangeToken()
}

async function exchange(): Promise<string | null> {
  const before = session.token()
  // Signed out: a cookie that a failed logout left behind must not sign the user in again.
  if (before === null) return null
  const userId = session.user()?.id
  const answer = await fetch(`${serviceUrl('user')}/api/v1/users/refresh`, {
    method: 'POST',
    credentials: 'include',
  })
  if (answer.status === 401 || answer.status === 403) {
    const blocked = await isBlocked(answer)
    // A session that began or ended meanwhile is not touched.
    if (session.token() === before) session.end(blocked)
    return currentTokenOf(userId)
  }
  const body: unknown = await answer.json().catch(() => null)
  if (!answer.ok) throw new Problem(answer.status, body)
  const { token, user } = v.parse(refreshAnswer, body)
  if (session.token() !== before) return currentTokenOf(userId)
  // The cookie of another account: the screen shows the wrong user.
  if (userId !== undefined && userId !== user.id) {
    session.end()
    return null
  }
  newest = { token, at: Date.now() }
  session.start(token, user)
  return token
}

async function isBlocked(answer: Response): Promise<boolean> {
  return new Problem(answer.status, await answer.json().catch(() => null)).code === 'user.blocked'
}

/** The current token, if it still belongs to that user: a user who signed in meanwhile did not make the request. */
function currentTokenOf(userId: string | undefined): string | null {
  return session.user()?.id === userId ? session.token() : null
}
