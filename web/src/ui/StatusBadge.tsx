import { Badge } from '@mantine/core'

import { titleCase } from '@/lib/format'
import { text, type TextId, useTexts } from '@/lib/texts'

const colours: Record<string, string> = {
  pending: 'amber',
  confirmed: 'blue',
  preparing: 'grape',
  dispatched: 'ember',
  'picked up': 'blue',
  'on the way': 'ember',
  delivered: 'leaf',
  cancelled: 'gray',
}

// The words for people; the values stay as on the wire.
const labels: Record<string, TextId> = {
  pending: 'app.statusPending',
  confirmed: 'app.statusConfirmed',
  preparing: 'app.statusPreparing',
  dispatched: 'app.statusDispatched',
  'picked up': 'app.statusPickedUp',
  'on the way': 'app.statusOnTheWay',
  delivered: 'app.statusDelivered',
  cancelled: 'app.statusCancelled',
}

/** The words for the status of an order or a delivery. */
export function statusLabel(status: string): string {
  const label = labels[status]
  return label === undefined ? titleCase(status) : text(label)
}

export function StatusBadge({ status }: { status: string }) {
  useTexts()
  return (
    <Badge variant="light" color={colours[status] ?? 'gray'} miw="max-content" data-status={status}>
      {statusLabel(status)}
    </Badge>
  )
}
