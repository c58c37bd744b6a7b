import { useLocation, useSearchParams } from 'react-router'

import type { EventKey } from '@/api/operator'
import { paths } from '@/lib/paths'
import { withSearchParam } from '@/lib/search-params'

import { type EventFilter, type FilterName, readFilter } from './event-filter'
import { eventKey, readEventKey } from './event-key'

/** The search and the open event, kept in the page's address: a reload, a link and the way back show the same. */
export function useEventAddress() {
  const [params, setParams] = useSearchParams()
  const { state } = useLocation()
  const change = (name: string, value: string | null) => {
    setParams(withSearchParam(name, value), { replace: true, preventScrollReset: true, state })
  }
  const filter = readFilter(params)
  return {
    filter,
    narrow: (name: FilterName, value: string) => {
      change(name, value)
    },
    clear: () => {
      setParams({}, { replace: true, state })
    },
    at: readEventKey(params.get('at')),
    open: (key: EventKey) => {
      change('at', eventKey(key))
    },
    close: () => {
      change('at', null)
    },
    linkTo: (key: EventKey) => eventsAt(filter, key),
  }
}

export type EventAddress = ReturnType<typeof useEventAddress>

function eventsAt(filter: EventFilter, key: EventKey): string {
  const given = Object.entries(filter).filter(([, value]) => value !== '')
  return paths.operator.events({ ...Object.fromEntries(given), at: eventKey(key) })
}
