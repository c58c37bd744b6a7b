import { useQuery } from '@tanstack/react-query'

import { accountIdQuery, eventTypesQuery, orderIdQuery } from '@/api/operator'
import type { ListQuery } from '@/api/pages'
import { useSessionUser } from '@/lib/session'

import { type EventFilter, type Fault, faultsOf, type FilterName, isEmail, isOrderCode, queryOf, typeOf } from './event-filter'

interface EventQuery {
  /** The filter as the service takes it; null while it can't be: it has a fault, or is still looked up. */
  query: ListQuery | null
  faults: Partial<Record<FilterName, Fault>>
  /** The known types of events, to be suggested. */
  types: string[]
}

/** Asks again for an order that is not found: the log may be about to have it. The interval is in milliseconds. */
const AGAIN = { refetchInterval: ({ state }: { state: { data?: string | null } }) => (state.data === null ? 2_000 : false) } as const

/** A filter as people write it, turned into what the service takes: names of types, codes of orders, e-mail addresses. */
export function useEventQuery(filter: EventFilter): EventQuery {
  const isAdmin = useSessionUser()?.role === 'admin'
  const { data: types = [] } = useQuery(eventTypesQuery())
  const aggregate = useQuery({ ...orderIdQuery(filter.aggregate), ...AGAIN, enabled: isOrderCode(filter.aggregate) })
  const correlation = useQuery({ ...orderIdQuery(filter.correlation), ...AGAIN, enabled: isOrderCode(filter.correlation) })
  const actor = useQuery({ ...accountIdQuery(filter.actor), enabled: isAdmin && isEmail(filter.actor) })
  const faults = faultsOf(filter)
  if (aggregate.data === null) faults.aggregate ??= 'noOrder'
  if (correlation.data === null) faults.correlation ??= 'noOrder'
  if (actor.data === null) faults.actor ??= 'noAccount'
  const isLooking = [aggregate, correlation, actor].some(({ isLoading }) => isLoading)
  const found = {
    ...filter,
    type: typeOf(filter.type, types),
    aggregate: aggregate.data ?? filter.aggregate,
    correlation: correlation.data ?? filter.correlation,
    actor: actor.data ?? filter.actor,
  }
  return { query: isLooking || Object.keys(faults).length > 0 ? null : queryOf(found), faults, types }
}
