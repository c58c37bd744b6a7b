import { createContext, use } from 'react'

export const ArrivalsContext = createContext<ReadonlySet<string>>(new Set())

/** The orders that came last while the panel was open. */
export function useArrivals(): ReadonlySet<string> {
  return use(ArrivalsContext)
}
