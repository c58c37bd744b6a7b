import { Badge, Title } from '@mantine/core'

import type { DatabaseCapacity } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'
import type { Column } from '@/ui/table/columns'
import { DataTable } from '@/ui/table/DataTable'

import { bytesText, countText, rateText } from './format'

/** The outbox of each service, and the rest of its database. */
export function DatabasesTable({ databases }: { databases: DatabaseCapacity[] }) {
  const t = useTexts()
  const size = (bytes: number | null | undefined) => (bytes == null ? '–' : bytesText(Math.round(bytes)))
  const columns: Column<DatabaseCapacity>[] = [
    { id: 'name', label: t('operator.service'), slot: 'heading', cell: ({ name }) => name },
    {
      id: 'bytes',
      label: t('operator.size'),
      end: true,
      cell: ({ outbox }) =>
        outbox == null ? (
          <Badge color="red" variant="light" size="sm">
            {t('operator.noAnswer')}
          </Badge>
        ) : (
          bytesText(outbox.bytes)
        ),
    },
    { id: 'rows', minor: true, label: t('operator.rows'), end: true, cell: ({ outbox }) => (outbox == null ? '–' : countText(outbox.rows)) },
    {
      id: 'events',
      minor: true,
      label: t('operator.aDayEvents'),
      end: true,
      cell: ({ outbox }) => (outbox?.rowsADay == null ? '–' : rateText(outbox.rowsADay)),
    },
    { id: 'growth', label: t('operator.aDayGrowth'), end: true, cell: ({ outbox }) => size(outbox?.bytesADay) },
    { id: 'other', minor: true, label: t('operator.otherTables'), end: true, cell: ({ otherBytes }) => size(otherBytes) },
  ]
  return (
    <section>
      <Title order={2} size="h3" mb="xs">
        {t('operator.outboxes')}
      </Title>
      <DataTable
        dense
        label={t('operator.outboxes')}
        columns={columns}
        rows={databases}
        rowId={(one) => one.name}
        rowName={(one) => one.name}
        sort={null}
        onSort={() => undefined}
      />
    </section>
  )
}
