import { createContext, use } from 'react'

import { PositionSource } from '@/ui/map/position-source'

import type { PositionFailure } from './device'

/** True while this device streams its position. */
interface Sharing {
  on: boolean
  set: (on: boolean) => void
  /** The reason why no position can be sent. */
  failure: PositionFailure | null
  /** False while there is no delivery under way to share a position with. */
  isNeeded: boolean
  /** The place of this device. */
  positionSource: PositionSource
  /** The position that came back from the platform, as the customers got it. */
  acknowledgement: Acknowledgement
}

interface Acknowledgement {
  count: number
  /** The time of the newest measurement. */
  at: string | null
}

export const noAcknowledgement: Acknowledgement = { count: 0, at: null }

export const SharingContext = createContext<Sharing>({
  on: false,
  set: () => {},
  failure: null,
  isNeeded: false,
  positionSource: new PositionSource(),
  acknowledgement: noAcknowledgement,
})

export function useSharing(): Sharing {
  return use(SharingContext)
}
