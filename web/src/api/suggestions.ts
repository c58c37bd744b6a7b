import { queryOptions } from '@tanstack/react-query'

import { suggestDrivers } from './generated/sdk.gen'

/** The drivers who suit an order best, as of now: every dialog asks again. */
export function suggestionsQuery(orderId: string) {
  return queryOptions({
    queryKey: ['suggestions', orderId],
    queryFn: ({ signal }) => suggestDrivers({ path: { id: orderId }, signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}
