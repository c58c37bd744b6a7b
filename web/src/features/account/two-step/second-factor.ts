import { queryOptions } from '@tanstack/react-query'

import { secondFactor } from '@/api/generated/sdk.gen'

/** Whether the caller has turned on two-step sign-in, and whether they must. */
export function secondFactorQuery() {
  return queryOptions({ queryKey: ['second-factor'], queryFn: ({ signal }) => secondFactor({ signal }), staleTime: 0 })
}
