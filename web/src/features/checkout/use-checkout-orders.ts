import { useQuery } from '@tanstack/react-query'
import { useLocation, useSearchParams } from 'react-router'
import * as v from 'valibot'

import type { Order } from '@/api/generated/types.gen'
import { ordersQuery } from '@/api/orders'

// Navigation state is this app's own, written when the order was placed.
const orderSchema = v.object({ _id: v.string(), orderId: v.string(), checkoutId: v.string() })
const passedSchema = v.object({ orders: v.array(v.custom<Order>((order) => v.is(orderSchema, order))) })

/**
 * The orders of one checkout: of the one that the URL names, else of what was passed along. What the
 * service knows comes before what was passed.
 */
export function useCheckoutOrders() {
  const [params] = useSearchParams()
  const state: unknown = useLocation().state
  const { data, isPending, isError, error, refetch } = useQuery(ordersQuery())
  const passed = v.is(passedSchema, state) ? state.orders : []
  const checkoutId = params.get('checkout') ?? passed[0]?.checkoutId ?? null
  const known = data?.filter((order) => order.checkoutId === checkoutId) ?? []
  const orders = (known.length > 0 ? known : passed.filter((order) => order.checkoutId === checkoutId)).toSorted((a, b) =>
    a._id.localeCompare(b._id),
  )
  return {
    checkoutId,
    orders,
    /** True if the navigation state has orders that can't be read. */
    isInvalid: state !== null && v.is(v.object({ orders: v.unknown() }), state) && passed.length === 0,
    isPending: checkoutId !== null && isPending,
    failure: isError ? error : null,
    refetch: () => void refetch(),
  }
}

export type CheckoutOrders = ReturnType<typeof useCheckoutOrders>
