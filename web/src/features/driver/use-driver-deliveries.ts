import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { deliveriesQuery } from '@/api/deliveries'
import type { Delivery } from '@/api/generated/types.gen'

import { useOutboxState } from './outbox/context'
import { deliveriesOf, type KeptChange } from './outbox/store'

/** The driver's deliveries, with the status changes that the platform does not have yet. */
export function useDriverDeliveries() {
  const { data, ...query } = useQuery(deliveriesQuery())
  const { changes } = useOutboxState()
  const shown = useMemo(() => data && withChanges(data, changes), [data, changes])
  return { ...query, data: shown }
}

function withChanges(deliveries: Delivery[], changes: KeptChange[]): Delivery[] {
  const newest = new Map(changes.flatMap((change) => deliveriesOf(change).map((id) => [id, change.status] as const)))
  return deliveries.map((delivery) => ({ ...delivery, status: newest.get(delivery._id) ?? delivery.status }))
}
