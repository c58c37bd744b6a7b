import { queryOptions } from '@tanstack/react-query'

import { showPreferences } from './generated/sdk.gen'

/** By which ways the caller wants to be told. */
export function preferencesQuery() {
  return queryOptions({ queryKey: ['preferences'], queryFn: ({ signal }) => showPreferences({ signal }) })
}
