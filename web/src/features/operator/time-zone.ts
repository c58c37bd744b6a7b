import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

import { jsonStore } from '@/lib/store'

export const ZONES = ['local', 'utc'] as const
export type Zone = (typeof ZONES)[number]

const zoneSetting = jsonStore<Zone>('consoleTimes', v.picklist(ZONES), 'local')

/** The zone of the console's times, kept in the browser. */
export function useZone(): Zone {
  return useSyncExternalStore(zoneSetting.subscribe, zoneSetting.get)
}

export const setZone = zoneSetting.set

/** True while times are in UTC, as logs and the command line write them. */
export function isUtc(): boolean {
  return zoneSetting.get() === 'utc'
}

/** A form of times in the chosen zone. */
export function timeFormat(options: Intl.DateTimeFormatOptions): (t: number) => string {
  const local = new Intl.DateTimeFormat('en-LK', options)
  const utc = new Intl.DateTimeFormat('en-LK', { ...options, timeZone: 'UTC' })
  return (t) => (isUtc() ? utc : local).format(t)
}
