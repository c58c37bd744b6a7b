import { queryOptions } from '@tanstack/react-query'

import { listDrivers } from './generated/sdk.gen'
import type { ListDriversResponses } from './generated/types.gen'
import { lists } from './lists'
import { everyRow } from './pages'

/** All drivers for administrators, those available for owners, the driver's own row for a driver. */
export function driversQuery() {
  return queryOptions({ queryKey: ['drivers'], queryFn: ({ signal }) => everyRow<ListDriversResponses>(lists.drivers.url, {}, signal) })
}

/** The available drivers, each with a coarse distance from the owner's restaurant at a place (`lat,lng`). */
export function driversNearQuery(near: string) {
  const query = { available: true, ...(near === '' ? {} : { near }) }
  return queryOptions({ queryKey: ['drivers', query], queryFn: ({ signal }) => listDrivers({ query, signal }) })
}
