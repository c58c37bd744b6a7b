import { queryOptions } from '@tanstack/react-query'

import { readCopy } from '@/api/generated/sdk.gen'

/** The pause between looks at a copy that is being made, in milliseconds. */
const PAUSE = 3_000

/** The state of the caller's copy; asked for again while it is being made. */
export function copyQuery() {
  return queryOptions({
    queryKey: ['copy'],
    queryFn: ({ signal }) => readCopy({ signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'underWay' ? PAUSE : false),
  })
}
