import { useCancelOrders } from '@/api/cancel-orders'
import type { Order } from '@/api/generated/types.gen'

import { useDeleteOrder } from './delete-order'
import { useNearbyDrivers } from './nearby-drivers'
import { useSetStatus } from './set-status'
import type { OrderControlsProps } from './use-order-controls'

/** Everything that an owner can do to the orders on the screen. */
export function useOrderActions(orders: Order[]) {
  const nearbyDrivers = useNearbyDrivers(orders)
  const steps = useSetStatus(orders)
  const cancelling = useCancelOrders()
  const remove = useDeleteOrder((order) => { cancelling.ask([order]) })
  const controlsProps = (order: Order): OrderControlsProps => ({
    order,
    nearbyDrivers: nearbyDrivers.forOrder(order),
    busy: steps.busy.includes(order._id),
    onSet: steps.set,
    onCancel: cancelling.ask,
    onDelete: (chosen) => void remove(chosen),
  })
  return { nearbyDrivers, steps, cancelDialog: cancelling.dialog, controlsProps }
}

export type OrderActions = ReturnType<typeof useOrderActions>
