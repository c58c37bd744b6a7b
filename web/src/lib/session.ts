import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

import { jsonStore, plainStore } from './store'

export const sessionUser = v.object({
  _id: v.string(),
  id: v.string(),
  email: v.string(),
  role: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  address: v.nullish(v.string()),
  phone: v.nullish(v.string()),
  image: v.nullish(v.string()),
  lat: v.nullish(v.number()),
  lng: v.nullish(v.number()),
  emailVerified: v.boolean(),
  /** Operates the event history. */
  isOperator: v.optional(v.boolean()),
  /** Has to turn on two-step sign-in before anything else. */
  mustEnrol: v.optional(v.boolean()),
})

/** The signed-in user as kept in local storage under `user`. */
export type SessionUser = v.InferOutput<typeof sessionUser>

const users = jsonStore<SessionUser | null>('user', sessionUser, null)
const tokens = plainStore('token')

export const session = {
  user: users.get,
  token: tokens.get,
  subscribe: (listener: () => void) => {
    const leave = [users.subscribe(listener), tokens.subscribe(listener)]
    return () => {
      for (const stop of leave) stop()
    }
  },
  start: (token: string, user: SessionUser) => {
    tokens.set(token)
    users.set(user)
  },
  setToken: (token: string) => {
    tokens.set(token)
  },
  setUser: (user: SessionUser) => {
    users.set(user)
  },
  /** Forgets who is signed in, and nothing else. */
  end: () => {
    tokens.set(null)
    users.set(null)
  },
  /** Signing out clears everything that this browser keeps, the cart included. */
  clear: () => {
    localStorage.clear()
    sessionStorage.clear()
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

/** When the access token ends, in milliseconds since the epoch; null if it cannot be read. */
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
