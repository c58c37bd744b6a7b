import { Button, NativeSelect } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'

import { useTexts } from '@/lib/texts'

import type { Column, Sort } from './columns'
import { SearchField } from './SearchField'
import classes from './table.module.css'

/** A choice that narrows a list; '' is all. */
export interface Filter {
  name: string
  label: string
  value: string
  options: { value: string; label: string }[]
}

interface Props<Row> {
  q: string
  onSearch: (q: string) => void
  filters: Filter[]
  onFilter: (name: string, value: string) => void
  columns: Column<Row>[]
  sort: Sort | null
  onSort: (sort: Sort | null) => void
  /** True if the rows are in a table with headings, if there is room for one. */
  isTable: boolean
  onExport: () => void
  isExporting: boolean
}

/** The filters, the order and the export of a table. */
export function TableTools<Row>(props: Props<Row>) {
  const t = useTexts()
  return (
    <search className={classes.tools}>
      <SearchField label={t('table.search')} className={classes.search ?? ''} q={props.q} onSearch={props.onSearch} />
      {props.filters.map((filter) => (
        <NativeSelect
          key={filter.name}
          label={filter.label}
          value={filter.value}
          data={[{ value: '', label: t('table.all') }, ...filter.options]}
          onChange={(event) => {
            props.onFilter(filter.name, event.currentTarget.value)
          }}
        />
      ))}
      <SortSelect {...props} />
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        loading={props.isExporting}
        onClick={props.onExport}
      >
        {t('table.export')}
      </Button>
    </search>
  )
}

/** Sorting where there are no headings to press. */
function SortSelect<Row>({ columns, sort, onSort, isTable }: Pick<Props<Row>, 'columns' | 'sort' | 'onSort' | 'isTable'>) {
  const t = useTexts()
  const options = columns
    .filter((column) => column.sortable === true)
    .flatMap(({ id, label }) => [
      { value: id, label: t('table.ascending', { column: label }) },
      { value: `-${id}`, label: t('table.descending', { column: label }) },
    ])
  if (options.length === 0) return null
  return (
    <NativeSelect
      className={classes.sortSelect ?? ''}
      wrapperProps={{ 'data-narrow': isTable || undefined }}
      label={t('table.sortBy')}
      value={sort === null ? '' : `${sort.descending ? '-' : ''}${sort.by}`}
      data={[{ value: '', label: t('table.newest') }, ...options]}
      onChange={(event) => {
        const { value } = event.currentTarget
        if (value === '') onSort(null)
        else onSort({ by: value.replace(/^-/, ''), descending: value.startsWith('-') })
      }}
    />
  )
}
