import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'

import { deliveriesQuery } from '@/api/deliveries'
import type { Delivery, Order } from '@/api/generated/types.gen'

import { isDriverFixed } from './status'

function declinedOf(deliveries: Delivery[]): Set<string> {
  return new Set(deliveries.filter(({ declined }) => declined).map(({ orderId }) => orderId))
}

/** True for an order that waits for a driver: it has none yet, or its driver declined it. */
export function useAwaitsDriver() {
  const { data: declined } = useQuery({ ...deliveriesQuery(), select: declinedOf })
  const isDeclined = useCallback((order: Order) => declined?.has(order.orderId) === true && order.status !== 'cancelled', [declined])
  return { isDeclined, awaitsDriver: (order: Order) => isDeclined(order) || !isDriverFixed(order) }
}
