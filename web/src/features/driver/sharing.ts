import { createContext, use } from 'react'

import { FixFeed } from '@/ui/map/fixes'

import type { Trouble } from './device'

/** Whether this device streams where it is. */
export interface Sharing {
  on: boolean
  set: (on: boolean) => void
  /** Why nothing can be told. */
  trouble: Trouble | null
  /** False while there is no delivery under way to share a position with. */
  wanted: boolean
  /** Where this device is. */
  feed: FixFeed
  /** What came back from the platform, as the customers were sent it. */
  acknowledged: Acknowledged
}

export interface Acknowledged {
  count: number
  /** When the newest was measured. */
  at: string | null
}

export const nothingAcknowledged: Acknowledged = { count: 0, at: null }

export const SharingContext = createContext<Sharing>({
  on: false,
  set: () => {},
  trouble: null,
  wanted: false,
  feed: new FixFeed(),
  acknowledged: nothingAcknowledged,
})

export function useSharing(): Sharing {
  return use(SharingContext)
}
