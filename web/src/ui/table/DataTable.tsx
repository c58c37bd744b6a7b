import { Table, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { Fragment, type KeyboardEvent, type ReactNode } from 'react'

import { RowCard } from './RowCard'
import { type Column, nextSort, type Sort } from './columns'
import classes from './table.module.css'

interface DataTableProps<Row> {
  /** The name of the table. */
  label: string
  columns: Column<Row>[]
  rows: Row[]
  rowId: (row: Row) => string
  /** The name of a row. */
  rowName: (row: Row) => string
  sort: Sort | null
  onSort: (sort: Sort | null) => void
  /** The expanded part under a row; null without one. */
  expanded?: (row: Row) => ReactNode
  /** For many rows of figures: close together, and a table wherever it is; minor columns go where there is no room. */
  dense?: boolean
  /** True for the row that is looked at. */
  isCurrent?: (row: Row) => boolean
}

/** Rows as a table, as cards where there is no room for one. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const wide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false })
  if (wide) return <WideTable {...props} />
  if (props.dense === true) return <WideTable {...props} columns={props.columns.filter((column) => column.minor !== true)} />
  return (
    <ul className={classes.cards} aria-label={props.label}>
      {props.rows.map((row) => (
        <li key={props.rowId(row)}>
          <RowCard row={row} name={props.rowName(row)} columns={props.columns} expanded={props.expanded?.(row)} />
        </li>
      ))}
    </ul>
  )
}

function WideTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowId, rowName, sort, onSort, expanded, dense = false, isCurrent } = props
  return (
    // Reached by keyboard, so that it can be scrolled by one.
    <div className={classes.box} tabIndex={0} role="region" aria-label={label} data-dense={dense || undefined}>
      <Table verticalSpacing={dense ? 3 : 'xs'} highlightOnHover className={classes.table} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Heading key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody onKeyDown={stepBetweenRows}>
          {rows.map((row) => {
            const below = expanded?.(row) ?? null
            return (
              <Fragment key={rowId(row)}>
                <Table.Tr
                  aria-label={rowName(row)}
                  data-row={rowId(row)}
                  data-current={isCurrent?.(row) === true || undefined}
                >
                  {columns.map((column) => (
                    <Table.Td key={column.id} data-end={column.end}>
                      {column.cell(row, 'line')}
                    </Table.Td>
                  ))}
                </Table.Tr>
                {below !== null && (
                  <Table.Tr className={classes.below}>
                    <Table.Td colSpan={columns.length}>{below}</Table.Td>
                  </Table.Tr>
                )}
              </Fragment>
            )
          })}
        </Table.Tbody>
      </Table>
    </div>
  )
}

interface HeadingProps<Row> {
  column: Column<Row>
  sort: Sort | null
  onSort: (sort: Sort | null) => void
}

function Heading<Row>({ column, sort, onSort }: HeadingProps<Row>) {
  if (column.sortable !== true) {
    return (
      <Table.Th scope="col" data-end={column.end}>
        {column.label}
      </Table.Th>
    )
  }
  const direction = sort?.by !== column.id ? 'none' : sort.descending ? 'descending' : 'ascending'
  const Icon = { none: IconArrowsSort, ascending: IconArrowUp, descending: IconArrowDown }[direction]
  return (
    <Table.Th scope="col" aria-sort={direction} data-end={column.end}>
      <UnstyledButton
        className={classes.sort ?? ''}
        data-sorted={direction !== 'none' || undefined}
        onClick={() => {
          onSort(nextSort(sort, column.id))
        }}
      >
        {column.label}
        <Icon size={14} aria-hidden="true" />
      </UnstyledButton>
    </Table.Th>
  )
}

const CONTROLS = 'button:not(:disabled), a[href], select, input, textarea'

/** Up and Down go to the same control of the row above or below, Home and End to the first and last row. */
function stepBetweenRows(event: KeyboardEvent<HTMLTableSectionElement>) {
  const { key, target } = event
  if (!(target instanceof HTMLElement) || target.matches('select, input, textarea')) return
  const row = target.closest('tr')
  const rows = [...event.currentTarget.rows].filter((one) => one === row || one.querySelector(CONTROLS) !== null)
  const at = rows.findIndex((one) => one === row)
  const goal = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[key]
  if (row === null || goal === undefined) return
  const next = rows[goal]?.querySelectorAll<HTMLElement>(CONTROLS)
  const column = [...row.querySelectorAll(CONTROLS)].indexOf(target)
  const control = next?.[Math.min(column, next.length - 1)]
  if (control === undefined) return
  event.preventDefault()
  control.focus()
}
