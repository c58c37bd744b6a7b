import { useDebouncedValue } from '@mantine/hooks'
import { useSearchParams } from 'react-router'

import { withSearchParam } from '@/lib/search-params'

/** The delay after the last key before a search, in milliseconds. */
const DEBOUNCE = 180

/** The search lives in the URL, so that it can be kept, sent and returned to. */
export function useSearch() {
  const [params, setParams] = useSearchParams()
  const q = params.get('q') ?? ''
  const category = params.get('category') ?? ''
  const sort = params.get('sort') ?? ''
  const [typed] = useDebouncedValue(q.trim(), DEBOUNCE)
  const set = (name: 'q' | 'category' | 'sort', value: string) => {
    setParams(withSearchParam(name, value), { replace: true, preventScrollReset: true })
  }
  const clear = () => {
    setParams({}, { replace: true, preventScrollReset: true })
  }
  // An emptied field need not wait.
  return { q, category, sort, set, clear, query: { q: q === '' ? '' : typed, category, sort } }
}
