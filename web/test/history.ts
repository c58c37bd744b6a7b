import type { EventView } from '@/api/generated/types.gen'

const STREAMS: Record<string, string> = {
  order: 'ORDERS',
  payment: 'PAYMENTS',
  delivery: 'DELIVERIES',
  notification: 'NOTIFICATIONS',
  position: 'POSITIONS',
}

/** The begin of the tests' histories. */
export const BEGIN = Date.UTC(2026, 10, 21, 10)

/** Events of one order as the operator service returns them, each with the next sequence of its stream. */
export class Writer {
  readonly views: EventView[] = []

  /** Writes `order.placed`, so many milliseconds after the begin; returns its id. */
  write(kind: string, after: number, data: Record<string, unknown> = {}, more: { cause?: string; subject?: string } = {}): string {
    const [aggregate = ''] = kind.split('.')
    const id = `e${String(this.views.length + 1)}`
    const stream = STREAMS[aggregate] ?? aggregate
    const subject = more.subject ?? aggregate
    const event = {
      id,
      type: `tiffin.${kind}.v1`,
      source: `tiffin/${aggregate}`,
      subject,
      time: new Date(BEGIN + after).toISOString(),
      actor: 'u1',
      sequence: 1,
      correlationid: 'order',
      ...(more.cause === undefined ? {} : { causationid: more.cause }),
      data,
    }
    const seq = this.views.filter((view) => view.stream === stream).length + 1
    this.views.push({ stream, seq, subject: `tiffin.${aggregate}.${subject}`, event })
    return id
  }

  position(after: number, lat: number, lng = 79.85): string {
    const at = new Date(BEGIN + after).toISOString()
    return this.write('position.updated', after, { lat, lng, at })
  }
}

/** An order from its placing to the door: 4 minutes, 11 positions in the last. */
export function delivered(): EventView[] {
  const writer = new Writer()
  const facts = { orderCode: 'ORD-7K3M9QX2', customerId: 'customer', ownerId: 'owner' }
  const placed = writer.write('order.placed', 0, { ...facts, totalAmount: 2501, destLat: 6.91, destLng: 79.85, restaurantId: 'r1' })
  writer.write('notification.created', 20, { userId: 'owner', topic: 'order_placed' }, { cause: placed, subject: 'n1' })
  writer.write('payment.captured', 30_000, { amount: 2501, cardBrand: 'Visa', cardLast4: '4242' })
  const confirmed = writer.write('order.confirmed', 60_000, { ...facts, assignedDriver: 'driver' })
  const created = writer.write('delivery.created', 60_012, { ...facts, driverId: 'driver' }, { cause: confirmed, subject: 'd1' })
  writer.write('notification.created', 60_030, { userId: 'customer', topic: 'order_confirmed' }, { cause: confirmed, subject: 'n2' })
  writer.write('notification.created', 60_031, { userId: 'driver', topic: 'delivery_assigned' }, { cause: created, subject: 'n3' })
  writer.write('notification.sent', 61_000, { userId: 'customer', channel: 'mail' }, { cause: confirmed, subject: 'n2' })
  const onTheWay = writer.write('delivery.on_the_way', 180_000, facts, { subject: 'd1' })
  writer.write('order.dispatched', 180_015, facts, { cause: onTheWay })
  for (let second = 0; second <= 10; second += 1) writer.position(181_000 + second * 5_000, 6.9 + second / 1_000)
  const handedOver = writer.write('delivery.delivered', 240_000, facts, { subject: 'd1' })
  writer.write('order.delivered', 240_009, facts, { cause: handedOver })
  return writer.views
}
