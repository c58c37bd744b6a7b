import { createContext, use } from 'react'

/** Whether this device streams where it is. */
export interface Sharing {
  on: boolean
  set: (on: boolean) => void
  /** Why nothing can be told, in words. */
  trouble: string | null
  /** False while there is no delivery under way to share a position with. */
  wanted: boolean
}

export const SharingContext = createContext<Sharing>({ on: false, set: () => {}, trouble: null, wanted: false })

export function useSharing(): Sharing {
  return use(SharingContext)
}
