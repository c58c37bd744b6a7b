import { useLocation, useSearchParams } from 'react-router'

import { paths } from '@/lib/paths'
import { withSearchParam } from '@/lib/search-params'

import { type EventFilter, type FilterName, placeOf, readFilter, readPlace } from './event-filter'

interface Place {
  stream: string
  seq: number
}

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
    at: readPlace(params.get('at')),
    open: (place: Place) => {
      change('at', placeOf(place))
    },
    close: () => {
      change('at', null)
    },
    linkTo: (place: Place) => eventsAt(filter, place),
  }
}

export type EventAddress = ReturnType<typeof useEventAddress>

function eventsAt(filter: EventFilter, place: Place): string {
  const given = Object.entries(filter).filter(([, value]) => value !== '')
  return paths.operator.events({ ...Object.fromEntries(given), at: placeOf(place) })
}
