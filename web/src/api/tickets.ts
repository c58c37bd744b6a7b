import type { Delivery, DeliveryStatus } from './generated/types.gen'

/** Deliveries that one driver brings together, the first one first: the orders of one checkout from one restaurant. */
export type TicketDeliveries = [Delivery, ...Delivery[]]

const STEPS: DeliveryStatus[] = ['picked up', 'on the way', 'delivered']

/** Deliveries with the same key together, in the order of their first ones. */
function groupBy(deliveries: Delivery[], keyOf: (delivery: Delivery) => string): TicketDeliveries[] {
  const groups = new Map<string, TicketDeliveries>()
  for (const delivery of deliveries) {
    const group = groups.get(keyOf(delivery))
    if (group === undefined) groups.set(keyOf(delivery), [delivery])
    else group.push(delivery)
  }
  // Ids begin with their moment.
  for (const group of groups.values()) group.sort((one, other) => (one._id < other._id ? -1 : 1))
  return [...groups.values()]
}

/** Deliveries by ticket, in the order of the list. */
export function byTicket(deliveries: Delivery[]): TicketDeliveries[] {
  return groupBy(deliveries, ({ ticketId }) => ticketId)
}

/** Deliveries by ticket and status: what takes its next step together. */
export function byStep(deliveries: Delivery[]): TicketDeliveries[] {
  return groupBy(deliveries, ({ ticketId, status }) => `${ticketId} ${status}`)
}

/** The delivery whose status and arrival its ticket shows: the first of those that are the furthest behind. */
export function leadOf(deliveries: TicketDeliveries): Delivery {
  const step = ({ status }: Delivery) => STEPS.indexOf(status)
  return deliveries.reduce((lead, one) => (step(one) < step(lead) ? one : lead))
}

/** The codes of orders. */
export function codesOf(orders: { orderId: string }[]): string {
  return orders.map(({ orderId }) => orderId).join(', ')
}

/** The first code, and the number of the others: `ORD-7K3M9QX2 +2`. */
export function shortCode(orders: { orderId: string }[]): string {
  const first = orders[0]?.orderId ?? ''
  return orders.length > 1 ? `${first} +${String(orders.length - 1)}` : first
}

/** The dishes with their quantities. */
export function dishesOf(deliveries: Delivery[]): string {
  return deliveries.map(({ qty, orderName }) => `${qty} × ${orderName}`).join(', ')
}
