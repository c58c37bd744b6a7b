import { queryOptions } from '@tanstack/react-query'

import { showPreferences } from './generated/sdk.gen'

/** The channels by which the caller wants to be notified. */
export function preferencesQuery() {
  return queryOptions({ queryKey: ['preferences'], queryFn: ({ signal }) => showPreferences({ signal }) })
}
