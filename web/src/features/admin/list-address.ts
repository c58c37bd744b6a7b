import { useLocation, useSearchParams } from 'react-router'

import { withSearchParam } from '@/lib/search-params'
import type { Sort } from '@/ui/table/columns'

/** The filters of a list, kept in the page's address: a reload, a link and the way back show the same. */
export function useListAddress() {
  const [params, setParams] = useSearchParams()
  const { state } = useLocation()
  const set = (name: string, value: string | null) => {
    setParams(withSearchParam(name, value), { replace: true, preventScrollReset: true, state })
  }
  return {
    q: params.get('q') ?? '',
    sort: readSort(params.get('sort')),
    get: (name: string) => params.get(name) ?? '',
    set,
    setSort: (sort: Sort | null) => {
      set('sort', sort === null ? null : `${sort.descending ? '-' : ''}${sort.by}`)
    },
  }
}

export type ListAddress = ReturnType<typeof useListAddress>

function readSort(text: string | null): Sort | null {
  if (text === null || text === '') return null
  return text.startsWith('-') ? { by: text.slice(1), descending: true } : { by: text, descending: false }
}
