import { Chip, Group } from '@mantine/core'

import { useTexts } from '@/lib/texts'
import { statusLabel } from '@/ui/StatusBadge'

import { isOwnerStatus, type OwnerStatus } from './status'

interface Props {
  columns: { status: OwnerStatus; tickets: unknown[] }[]
  chosen: OwnerStatus
  onChoose: (status: OwnerStatus) => void
}

/** The choice of one column with the number of tickets in each, where a screen has room for one. */
export function ColumnChoice({ columns, chosen, onChoose }: Props) {
  const t = useTexts()
  return (
    <Chip.Group
      value={chosen}
      onChange={(value) => {
        if (isOwnerStatus(value)) onChoose(value)
      }}
    >
      <Group gap={6} mb="xs" role="radiogroup" aria-label={t('owner.status')}>
        {columns.map(({ status, tickets }) => (
          <Chip key={status} value={status} size="sm">
            {`${statusLabel(status)} ${String(tickets.length)}`}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  )
}
