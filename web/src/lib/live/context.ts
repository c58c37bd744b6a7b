import { createContext } from 'react'

import type { LiveClient } from './client'

/** The tab's one connection; null outside a `LiveProvider`. */
export const LiveContext = createContext<LiveClient | null>(null)
