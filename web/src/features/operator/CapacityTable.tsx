import { Title } from '@mantine/core'

import type { Capacity, StreamCapacity } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'
import type { Column } from '@/ui/table/columns'
import { DataTable } from '@/ui/table/DataTable'

import { isTooYoung, urgencyOf } from './capacity'
import classes from './console.module.css'
import { FillBar } from './FillBar'
import { bytesText, countText, rateText } from './format'
import { FullWhen } from './FullWhen'

/** The fill and pace of every stream; what is full first comes first. */
export function CapacityTable({ capacity, now }: { capacity: Capacity; now: number }) {
  const t = useTexts()
  const full = ({ fullAt, refuses }: StreamCapacity) => {
    if (fullAt != null) return <FullWhen fullAt={fullAt} now={now} />
    return refuses && isTooYoung(capacity) ? t('operator.noPaceYet') : t('operator.fullNever')
  }
  const columns: Column<StreamCapacity>[] = [
    { id: 'name', label: t('operator.stream'), slot: 'heading', cell: ({ name }) => <strong className={classes.name}>{name}</strong> },
    { id: 'full', label: t('operator.fillsUp'), cell: full },
    { id: 'fill', label: t('operator.fill'), cell: (one) => <FillBar {...one} urgency={urgencyOf(one.fullAt, now)} /> },
    { id: 'messages', minor: true, label: t('operator.messages'), end: true, cell: ({ messages }) => countText(messages) },
    { id: 'bytes', minor: true, label: t('operator.size'), end: true, cell: ({ bytes }) => bytesText(bytes) },
    {
      id: 'events',
      minor: true,
      label: t('operator.aDayEvents'),
      end: true,
      cell: ({ eventsADay }) => (eventsADay == null ? '–' : rateText(eventsADay)),
    },
    {
      id: 'growth',
      minor: true,
      label: t('operator.aDayGrowth'),
      end: true,
      cell: ({ bytesADay }) => (bytesADay == null ? '–' : bytesText(Math.round(bytesADay))),
    },
    {
      id: 'when',
      minor: true,
      label: t('operator.whenFull'),
      cell: ({ refuses }) => (refuses ? t('operator.refusesEvents') : t('operator.dropsOldest')),
    },
  ]
  return (
    <section>
      <Title order={2} size="h3" mb="xs">
        {t('operator.streams')}
      </Title>
      <DataTable
        dense
        label={t('operator.streams')}
        columns={columns}
        rows={capacity.streams}
        rowId={(one) => one.name}
        rowName={(one) => one.name}
        sort={null}
        onSort={() => undefined}
      />
    </section>
  )
}
