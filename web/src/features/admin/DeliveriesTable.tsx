import { Button, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useDeferredValue, useState } from 'react'

import { codesOf, leadOf, shortCode, type TicketDeliveries } from '@/api/tickets'
import { clockText } from '@/lib/format'
import { useTexts } from '@/lib/texts'
import { MoreButton } from '@/ui/MoreButton'
import { Empty, Loading } from '@/ui/states'
import { StatusBadge } from '@/ui/StatusBadge'
import { type Column, searchRows, type Sort, sortRows } from '@/ui/table/columns'
import { DataTable } from '@/ui/table/DataTable'

import classes from './admin.module.css'

/** Rows that are shown at once. */
const STEP = 10

interface Props {
  tickets: TicketDeliveries[]
  isPending: boolean
  onShow: (id: string) => void
}

/** The tickets of the map, for those who look for one of them, or can't see a map. */
export function DeliveriesTable({ tickets, isPending, onShow }: Props) {
  const t = useTexts()
  const [q, setQ] = useState('')
  const [sort, setSort] = useState<Sort | null>(null)
  const [shown, setShown] = useState(STEP)
  const wanted = useDeferredValue(q)
  const columns: Column<TicketDeliveries>[] = [
    {
      id: 'orderId',
      label: t('admin.orderId'),
      slot: 'heading',
      sortable: true,
      value: codesOf,
      cell: (ticket) => (
        <span className={classes.code} title={codesOf(ticket)}>
          {shortCode(ticket)}
        </span>
      ),
    },
    { id: 'driver', label: t('admin.driver'), sortable: true, value: ([first]) => first.driverName, cell: ([first]) => first.driverName },
    { id: 'address', label: t('admin.address'), value: ([first]) => first.address, cell: ([first]) => first.address },
    {
      id: 'status',
      label: t('admin.status'),
      sortable: true,
      value: (ticket) => leadOf(ticket).status,
      cell: (ticket) => <StatusBadge status={leadOf(ticket).status} />,
    },
    {
      id: 'promised',
      label: t('admin.promised'),
      sortable: true,
      value: (ticket) => leadOf(ticket).promisedTime,
      cell: (ticket) => clockText(leadOf(ticket).promisedTime),
    },
    {
      id: 'actions',
      label: t('admin.actions'),
      slot: 'foot',
      cell: (ticket) => (
        <Button
          size="compact-sm"
          variant="light"
          aria-label={t('admin.showOnMapOf', { order: codesOf(ticket) })}
          onClick={() => {
            onShow(ticket[0]._id)
          }}
        >
          {t('admin.showOnMap')}
        </Button>
      ),
    },
  ]
  if (isPending) return <Loading text={t('admin.loading')} />
  if (tickets.length === 0) return <Empty text={t('admin.noDeliveries')} />
  const rows = sortRows(searchRows(tickets, columns, wanted), columns, sort)
  return (
    <>
      <TextInput
        type="search"
        maw={420}
        label={t('admin.findDelivery')}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        value={q}
        onChange={(event) => {
          setQ(event.currentTarget.value)
        }}
      />
      <DataTable
        label={t('admin.underWayList')}
        columns={columns}
        rows={rows.slice(0, shown)}
        rowId={([first]) => first._id}
        rowName={(ticket) => t('admin.deliveryOf', { order: codesOf(ticket) })}
        sort={sort}
        onSort={setSort}
      />
      {rows.length > shown && (
        <MoreButton
          label={t('table.more')}
          onMore={() => {
            setShown(shown + STEP)
          }}
        />
      )}
    </>
  )
}
