import { Badge } from '@mantine/core'

import { titleCase } from '@/lib/format'

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

// What people read; the values themselves stay as they travel.
const labels: Record<string, string> = {
  'picked up': 'Assigned',
  'on the way': 'On the way',
}

export function statusLabel(status: string): string {
  return labels[status] ?? titleCase(status)
}

export function StatusBadge({ status }: { status: string }) {
  return (
    <Badge variant="light" color={colours[status] ?? 'gray'} miw="max-content" data-status={status}>
      {statusLabel(status)}
    </Badge>
  )
}
