import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'

import { jsonStore, plainStore } from './store'

export const sessionUser = z.object({
  _id: z.string(),
  id: z.string(),
  email: z.string(),
  role: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  address: z.nullish(z.string()),
  phone: z.nullish(z.string()),
  image: z.nullish(z.string()),
  lat: z.nullish(z.number()),
  lng: z.nullish(z.number()),
  emailVerified: z.boolean(),
})

/** The signed-in user as kept in local storage under `user`. */
export type SessionUser = z.infer<typeof sessionUser>

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

const claims = z.object({ exp: z.number() })

/** When the access token ends, in milliseconds since the epoch; null if it cannot be read. */
export function expiryOf(token: string): number | null {
  try {
    const part = token.split('.')[1] ?? ''
    const text = atob(part.replace(/-/g, '+').replace(/_/g, '/'))
    const read = claims.safeParse(JSON.parse(text))
    return read.success ? read.data.exp * 1000 : null
  } catch {
    return null
  }
}
