import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

import { deleteDriverOutbox } from './driver-outbox'
import { jsonStore, plainStore } from './store'

export const sessionUser = v.object({
  _id: v.string(),
  id: v.string(),
  email: v.string(),
  role: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  image: v.nullish(v.string()),
  emailVerified: v.boolean(),
  /** Operates the event history. */
  isOperator: v.optional(v.boolean()),
  /** Has to turn on two-step sign-in before anything else. */
  mustEnrol: v.optional(v.boolean()),
})

/**
 * The signed-in user as kept in local storage under `user`: neither phone nor address nor place, which every
 * script of the page could read there (ASVS 14.3.3). `profileQuery` has them.
 */
export type SessionUser = v.InferOutput<typeof sessionUser>

const users = jsonStore<SessionUser | null>('user', sessionUser, null)
const tokens = plainStore('token')

/** Keeps what the browser may keep of a user; an answer has more. */
const storeUser = (user: SessionUser | null) => {
  users.set(user && v.parse(sessionUser, user))
}
// Fields that an earlier version stored are removed.
storeUser(users.get())

let wasBlocked = false

export const session = {
  user: users.get,
  token: tokens.get,
  subscribe: (listener: () => void) => {
    const unsubscribe = [users.subscribe(listener), tokens.subscribe(listener)]
    return () => {
      for (const stop of unsubscribe) stop()
    }
  },
  start: (token: string, user: SessionUser) => {
    tokens.set(token)
    storeUser(user)
  },
  setToken: (token: string) => {
    tokens.set(token)
  },
  setUser: storeUser,
  /** True if the last session ended because the account was blocked. */
  wasBlocked: () => wasBlocked,
  /** Forgets who is signed in, and nothing else. */
  end: (isBlocked = false) => {
    wasBlocked = isBlocked
    tokens.set(null)
    users.set(null)
  },
  /** Signing out clears everything that this browser keeps, the cart included. */
  clear: () => {
    localStorage.clear()
    sessionStorage.clear()
    deleteDriverOutbox()
    tokens.set(null)
    users.set(null)
  },
}

export function useSessionUser(): SessionUser | null {
  return useSyncExternalStore(users.subscribe, users.get)
}

export function useToken(): string | null {
  return useSyncExternalStore(tokens.subscribe, tokens.get)
}

const claims = v.object({ exp: v.number() })

/** The end of the access token, in milliseconds since the epoch; null if it can't be read. */
export function expiryOf(token: string): number | null {
  try {
    const part = token.split('.')[1] ?? ''
    const text = atob(part.replace(/-/g, '+').replace(/_/g, '/'))
    const read = v.safeParse(claims, JSON.parse(text))
    return read.success ? read.output.exp * 1000 : null
  } catch {
    return null
  }
}
