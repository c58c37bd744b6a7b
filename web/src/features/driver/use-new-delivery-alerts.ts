import { useEffect, useRef } from 'react'

import type { Delivery } from '@/api/generated/types.gen'
import { byTicket, shortCode } from '@/api/tickets'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

import { notify } from './device'

/** Ids begin with their moment, so the greatest is the newest. */
function newestOf(deliveries: Delivery[]): string {
  return deliveries.reduce((newest, { _id }) => (_id > newest ? _id : newest), '')
}

/** Alerts the driver to each delivery that is assigned while the panel is open. */
export function useNewDeliveryAlerts(deliveries: Delivery[] | undefined): void {
  const t = useTexts()
  const newest = useRef<string | null>(null)

  // Messages and the device's notifications are outside React.
  useEffect(() => {
    if (deliveries === undefined) return
    const before = newest.current
    newest.current = newestOf(deliveries)
    if (before === null) return
    for (const ticket of byTicket(deliveries)) {
      const [{ _id, status, address }] = ticket
      // Once for a ticket, by its first delivery.
      if (_id <= before || status !== 'picked up') continue
      const message = t('driver.newDelivery', { order: shortCode(ticket), item: ticket.map(({ orderName }) => orderName).join(', ') })
      toast.success(message)
      notify(message, address ?? '')
    }
  }, [deliveries, t])
}
