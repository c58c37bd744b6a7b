import { queryOptions } from '@tanstack/react-query'

import { secondFactor } from '@/api/generated/sdk.gen'

/** The state of the caller's two-step sign-in. */
export function secondFactorQuery() {
  return queryOptions({ queryKey: ['second-factor'], queryFn: ({ signal }) => secondFactor({ signal }), staleTime: 0 })
}
