import { createContext, use } from 'react'

import { FixFeed } from '@/ui/map/fixes'

import type { Trouble } from './device'

/** True while this device streams its position. */
export interface Sharing {
  on: boolean
  set: (on: boolean) => void
  /** The reason why no position can be sent. */
  trouble: Trouble | null
  /** False while there is no delivery under way to share a position with. */
  wanted: boolean
  /** The place of this device. */
  feed: FixFeed
  /** The position that came back from the platform, as the customers got it. */
  acknowledged: Acknowledged
}

export interface Acknowledged {
  count: number
  /** The time of the newest measurement. */
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
