import { queryOptions } from '@tanstack/react-query'

import { listDrivers } from './generated/sdk.gen'

/** All drivers for owners and administrators, the driver's own row for a driver. */
export function driversQuery() {
  return queryOptions({ queryKey: ['drivers'], queryFn: ({ signal }) => listDrivers({ signal }) })
}

/** Who takes deliveries now, each with the distance from a place (`lat,lng`) where that is known. */
export function driversNearQuery(near: string) {
  const query = { available: true, ...(near === '' ? {} : { near }) }
  return queryOptions({ queryKey: ['drivers', query], queryFn: ({ signal }) => listDrivers({ query, signal }) })
}
