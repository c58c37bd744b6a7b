import { Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { messageOf } from '@/api/problem'
import { csvFile, csvOf } from '@/lib/csv'
import { downloadFile } from '@/lib/download-file'
import { useTexts } from '@/lib/texts'
import { MoreButton } from '@/ui/MoreButton'
import { Page } from '@/ui/Page'
import { Empty, Failure, Loading } from '@/ui/states'
import type { Column } from '@/ui/table/columns'
import { DataTable } from '@/ui/table/DataTable'
import { type Filter, TableTools } from '@/ui/table/TableTools'
import { toast } from '@/ui/toast'

import type { List } from './use-list'
import type { ListAddress } from './list-address'

type Exported<Row> = Required<Pick<Column<Row>, 'label' | 'value'>>

interface Props<Row> {
  title: string
  lead?: string
  /** Buttons that act on the rows that are shown. */
  actions?: ReactNode
  list: List<Row>
  address: ListAddress
  columns: Column<Row>[]
  /** The columns that an export has besides. */
  exportedToo?: Exported<Row>[]
  filters?: Omit<Filter, 'value'>[]
  rowId: (row: Row) => string
  rowName: (row: Row) => string
  expanded?: (row: Row) => ReactNode
  /** The replacement of a table, below the same tools. */
  children?: (rows: Row[]) => ReactNode
  /** While it loads; a spinner alone where left out. */
  loading?: string
  empty: string
  /** The message of a failure, instead of the service's own. */
  failure?: string
  /** The file name of an export, without its ending. */
  file: string
}

/** A page of the administrators: a list with its search, filters, order, export and further pages. */
export function Listing<Row>(props: Props<Row>) {
  const t = useTexts()
  const { list, address, columns, filters = [] } = props
  const saving = useMutation({
    mutationFn: async () => {
      const shown = columns.flatMap(({ label, value }) => (value === undefined ? [] : [{ label, value }]))
      const written = [...shown, ...(props.exportedToo ?? [])]
      const rows = (await list.fetchAll()).map((row) => written.map(({ value }) => value(row)))
      downloadFile(`${props.file}.csv`, csvFile(await csvOf(written.map(({ label }) => label), rows)))
    },
    onError: () => {
      toast.error(t('table.exportFailed'))
    },
  })
  const narrowed = address.q !== '' || filters.some(({ name }) => address.get(name) !== '')
  return (
    <Page title={props.title} size="fluid" {...(props.lead === undefined ? {} : { lead: props.lead })}>
      <TableTools
        q={address.q}
        onSearch={(q) => {
          address.set('q', q)
        }}
        filters={filters.map((filter) => ({ ...filter, value: address.get(filter.name) }))}
        onFilter={address.set}
        columns={columns}
        sort={address.sort}
        onSort={address.setSort}
        isTable={props.children === undefined}
        onExport={() => {
          saving.mutate()
        }}
        isExporting={saving.isPending}
      />
      {props.actions !== undefined && <Group mb="md">{props.actions}</Group>}
      {list.isPending && <Loading text={props.loading ?? t('table.loading')} />}
      {list.error !== null && (
        <Failure message={props.failure ?? messageOf(list.error, t('table.failed'))} retry={list.retry} />
      )}
      {!list.isPending && list.error === null && list.rows.length === 0 && (
        <Empty text={props.empty} art="empty-list" {...(narrowed ? { hint: t('table.emptyHint') } : {})} />
      )}
      {list.rows.length > 0 &&
        (props.children?.(list.rows) ?? (
          <DataTable
            label={props.title}
            columns={columns}
            rows={list.rows}
            rowId={props.rowId}
            rowName={props.rowName}
            sort={address.sort}
            onSort={address.setSort}
            {...(props.expanded === undefined ? {} : { expanded: props.expanded })}
          />
        ))}
      {list.more !== null && <MoreButton label={t('table.more')} isLoading={list.isFetchingMore} onMore={list.more} />}
    </Page>
  )
}
