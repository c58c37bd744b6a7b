import { useMutation, useQueryClient } from '@tanstack/react-query'

import { deliveriesQuery } from '@/api/deliveries'
import { declineDelivery, updateDeliveryLocation } from '@/api/generated/sdk.gen'
import type { Delivery, DeliveryStatus } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { confirmAction } from '@/ui/confirm'
import { toast } from '@/ui/toast'

import { currentPosition, PositionError } from './device'
import { useOutbox } from './outbox/context'
import type { Outbox } from './outbox/outbox'

/** A driver's changes of deliveries; a new status is shown at once and kept until the platform has it. */
export function useDeliveryChanges() {
  const t = useTexts()
  const queries = useQueryClient()
  const outbox = useOutbox()

  const status = useMutation({
    // The function may be that of an earlier render, without an outbox: the call brings what it needs.
    mutationFn: ({ kept, deliveries, next }: { kept: Outbox; deliveries: Delivery[]; next: DeliveryStatus }) =>
      kept.keepChanges(deliveries.map(({ _id: deliveryId, orderId }) => ({ deliveryId, orderId, status: next }))),
    onError: (error) => {
      console.error(error)
      toast.error(t('driver.statusFailed'))
    },
  })

  const location = useMutation({
    mutationFn: async (delivery: Delivery) => {
      const { lat, lng } = await currentPosition()
      await updateDeliveryLocation({ path: { id: delivery._id }, body: { lat, lng } })
    },
    onSuccess: () => {
      toast.success(t('driver.updateLocation'))
    },
    onError: (error) => {
      console.error(error)
      toast.error(error instanceof PositionError ? t(`driver.${error.failure}`) : messageOf(error, t('driver.locationFailed')))
    },
    onSettled: () => queries.invalidateQueries({ queryKey: deliveriesQuery().queryKey }),
  })

  const decline = useMutation({
    mutationFn: ({ _id: id }: Delivery) => declineDelivery({ path: { id } }),
    onError: (error) => {
      console.error(error)
      toast.error(messageOf(error, t('driver.declineFailed')))
    },
    onSettled: () => queries.invalidateQueries({ queryKey: deliveriesQuery().queryKey }),
  })

  const askToDecline = async (delivery: Delivery) => {
    const question = {
      title: t('driver.declineQuestion'),
      text: t('driver.declineText', { order: delivery.orderId }),
      confirm: t('driver.declineYes'),
    }
    if (await confirmAction(question)) decline.mutate(delivery)
  }

  return {
    setStatus: (deliveries: Delivery[], next: DeliveryStatus) => {
      if (outbox !== null) status.mutate({ kept: outbox, deliveries, next })
    },
    sendLocation: (delivery: Delivery) => {
      location.mutate(delivery)
    },
    decline: (delivery: Delivery) => {
      void askToDecline(delivery)
    },
    declining: decline.isPending ? decline.variables._id : null,
    changing: outbox === null || status.isPending,
    locating: location.isPending ? location.variables._id : null,
  }
}
