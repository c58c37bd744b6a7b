import { queryOptions } from '@tanstack/react-query'

import { listDrivers } from './generated/sdk.gen'

/** All drivers for owners and administrators, the driver's own row for a driver. */
export function driversQuery() {
  return queryOptions({ queryKey: ['drivers'], queryFn: ({ signal }) => listDrivers({ signal }) })
}
