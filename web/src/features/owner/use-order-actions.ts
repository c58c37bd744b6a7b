import { useState } from 'react'

import { useCancelOrders } from '@/api/cancel-orders'
import type { Order } from '@/api/generated/types.gen'
import { useRefundOrder } from '@/api/refund-order'
import { useTexts } from '@/lib/texts'

import { useAwaitsDriver } from './declined'
import { useDeleteOrder } from './delete-order'
import { driverName, useNearbyDrivers } from './nearby-drivers'
import { useSetStatus } from './set-status'
import { ticketOf } from './tickets'
import type { OrderControlsProps } from './use-order-controls'

/** Everything that an owner can do to the orders on the screen. */
export function useOrderActions(orders: Order[]) {
  const t = useTexts()
  const nearbyDrivers = useNearbyDrivers(orders)
  const steps = useSetStatus(orders)
  const cancelling = useCancelOrders()
  const refunding = useRefundOrder()
  const [suggesting, setSuggesting] = useState<[Order, ...Order[]] | null>(null)
  const { isDeclined, awaitsDriver } = useAwaitsDriver()
  const remove = useDeleteOrder((order) => { cancelling.ask([order]) })
  const controlsProps = (order: Order): OrderControlsProps => ({
    order,
    nearbyDrivers: nearbyDrivers.forOrder(order),
    busy: steps.busy.includes(order._id),
    isDeclined: isDeclined(order),
    onSuggest: awaitsDriver(order) ? (chosen) => { setSuggesting(ticketOf(chosen, orders)) } : null,
    onSet: steps.set,
    onCancel: cancelling.ask,
    onRefund: refunding.ask,
    onDelete: (chosen) => void remove(chosen),
  })
  const suggestDialog = suggesting && {
    orders: suggesting,
    onPick: (driverId: string) => { steps.confirmHeld(suggesting, driverId) },
    onClose: () => { setSuggesting(null) },
  }
  const takenDriver = steps.taken?.orders.flatMap((order) => nearbyDrivers.forOrder(order) ?? []).find(({ _id }) => _id === steps.taken?.driverId)
  const takenDialog = steps.taken && {
    driver: takenDriver === undefined ? t('owner.thisDriver') : driverName(takenDriver),
    onConfirm: steps.confirmTaken,
    onDismiss: steps.dismissTaken,
  }
  return { nearbyDrivers, steps, takenDialog, cancelDialog: cancelling.dialog, refundDialog: refunding.dialog, suggestDialog, controlsProps }
}

export type OrderActions = ReturnType<typeof useOrderActions>
