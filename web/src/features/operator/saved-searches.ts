import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

import { jsonStore } from '@/lib/store'
import { useSessionUser } from '@/lib/session'

const search = v.object({ name: v.string(), query: v.record(v.string(), v.string()) })

/** A named search of events, by its filters. */
export type SavedSearch = v.InferOutput<typeof search>

const NONE: Record<string, SavedSearch[]> = {}
/** The searches of each account that uses this browser. */
const saved = jsonStore('eventSearches', v.record(v.string(), v.array(search)), NONE)
const EMPTY: SavedSearch[] = []

/** The reader's searches, kept in this browser, by name. */
export function useSavedSearches() {
  const account = useSessionUser()?.id ?? ''
  const searches = useSyncExternalStore(saved.subscribe, saved.get)[account] ?? EMPTY
  const keep = (next: SavedSearch[]) => {
    saved.set({ ...saved.get(), [account]: next })
  }
  return {
    searches,
    /** Saves a search; one of the same name is replaced. */
    save: (one: SavedSearch) => {
      keep([...searches.filter(({ name }) => name !== one.name), one].sort((a, b) => a.name.localeCompare(b.name)))
    },
    forget: (name: string) => {
      keep(searches.filter((one) => one.name !== name))
    },
  }
}
