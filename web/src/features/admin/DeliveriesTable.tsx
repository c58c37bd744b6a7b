import { Button, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useDeferredValue, useState } from 'react'

import type { Delivery } from '@/api/generated/types.gen'
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
  deliveries: Delivery[]
  isPending: boolean
  onShow: (id: string) => void
}

/** The deliveries of the map, for those who look for one of them, or can't see a map. */
export function DeliveriesTable({ deliveries, isPending, onShow }: Props) {
  const t = useTexts()
  const [q, setQ] = useState('')
  const [sort, setSort] = useState<Sort | null>(null)
  const [shown, setShown] = useState(STEP)
  const wanted = useDeferredValue(q)
  const columns: Column<Delivery>[] = [
    {
      id: 'orderId',
      label: t('admin.orderId'),
      slot: 'heading',
      sortable: true,
      value: (one) => one.orderId,
      cell: (one) => <span className={classes.code}>{one.orderId}</span>,
    },
    { id: 'driver', label: t('admin.driver'), sortable: true, value: (one) => one.driverName, cell: (one) => one.driverName },
    { id: 'address', label: t('admin.address'), value: (one) => one.address, cell: (one) => one.address },
    {
      id: 'status',
      label: t('admin.status'),
      sortable: true,
      value: (one) => one.status,
      cell: (one) => <StatusBadge status={one.status} />,
    },
    {
      id: 'promised',
      label: t('admin.promised'),
      sortable: true,
      value: (one) => one.promisedTime,
      cell: (one) => clockText(one.promisedTime),
    },
    {
      id: 'actions',
      label: t('admin.actions'),
      slot: 'foot',
      cell: (one) => (
        <Button
          size="compact-sm"
          variant="light"
          aria-label={t('admin.showOnMapOf', { order: one.orderId })}
          onClick={() => {
            onShow(one._id)
          }}
        >
          {t('admin.showOnMap')}
        </Button>
      ),
    },
  ]
  if (isPending) return <Loading text={t('admin.loading')} />
  if (deliveries.length === 0) return <Empty text={t('admin.noDeliveries')} />
  const rows = sortRows(searchRows(deliveries, columns, wanted), columns, sort)
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
        rowId={(one) => one._id}
        rowName={(one) => t('admin.deliveryOf', { order: one.orderId })}
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
