import { useMutation, useQueryClient } from '@tanstack/react-query'

import { deliveriesQuery } from '@/api/deliveries'
import { declineDelivery, updateDeliveryLocation } from '@/api/generated/sdk.gen'
import type { Delivery, DeliveryStatus } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'
import { byStep, codesOf, type TicketDeliveries } from '@/api/tickets'
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
      kept.keepChanges(
        byStep(deliveries).map((ticket) => ({
          deliveryId: ticket[0]._id,
          orderId: codesOf(ticket),
          status: next,
          ticket: { deliveryIds: ticket.map(({ _id }) => _id), from: ticket[0].status },
        })),
      ),
    onError: (error) => {
      console.error(error)
      toast.error(t('driver.statusFailed'))
    },
  })

  const location = useMutation({
    mutationFn: async (ticket: TicketDeliveries) => {
      const { lat, lng } = await currentPosition()
      for (const { _id: id } of ticket) await updateDeliveryLocation({ path: { id }, body: { lat, lng } })
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
    mutationFn: ([{ _id: id }]: TicketDeliveries) => declineDelivery({ path: { id } }),
    onError: (error) => {
      console.error(error)
      toast.error(messageOf(error, t('driver.declineFailed')))
    },
    onSettled: () => queries.invalidateQueries({ queryKey: deliveriesQuery().queryKey }),
  })

  const askToDecline = async (ticket: TicketDeliveries) => {
    const question = {
      title: t('driver.declineQuestion'),
      text: t('driver.declineText', { order: codesOf(ticket) }),
      confirm: t('driver.declineYes'),
    }
    if (await confirmAction(question)) decline.mutate(ticket)
  }

  return {
    setStatus: (deliveries: Delivery[], next: DeliveryStatus) => {
      if (outbox !== null) status.mutate({ kept: outbox, deliveries, next })
    },
    sendLocation: (ticket: TicketDeliveries) => {
      location.mutate(ticket)
    },
    decline: (ticket: TicketDeliveries) => {
      void askToDecline(ticket)
    },
    declining: decline.isPending ? decline.variables[0]._id : null,
    changing: outbox === null || status.isPending,
    locating: location.isPending ? location.variables[0]._id : null,
  }
}
