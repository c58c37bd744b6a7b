import type { ReactNode } from 'react'

import type { Cell } from '@/lib/csv'

export interface Column<Row> {
  /** Names the column in addresses. */
  id: string
  label: string
  cell: (row: Row, on: 'line' | 'card') => ReactNode
  /** The value in an export; a column without it is left out of one. */
  value?: (row: Row) => Cell
  sortable?: boolean
  /** Its slot on a card: its heading, its picture, or its foot; a labelled line otherwise. */
  slot?: 'heading' | 'picture' | 'foot'
  /** Numbers align at the end of their cell. */
  end?: boolean
  /** Left out of a dense table where there is no room. */
  minor?: boolean
}

export interface Sort {
  by: string
  descending: boolean
}

/** The order after another press on a column's heading: up, down, as it was. */
export function nextSort(sort: Sort | null, by: string): Sort | null {
  if (sort?.by !== by) return { by, descending: false }
  return sort.descending ? null : { by, descending: true }
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

function compare(a: Cell, b: Cell): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return collator.compare(String(a ?? ''), String(b ?? ''))
}

/** The rows sorted by a column; equal ones keep their order, missing values come last. */
export function sortRows<Row>(rows: Row[], columns: Column<Row>[], sort: Sort | null): Row[] {
  const value = columns.find((column) => column.id === sort?.by)?.value
  if (sort === null || value === undefined) return rows
  const missing = (cell: Cell) => cell === null || cell === undefined || cell === ''
  return [...rows].sort((a, b) => {
    const [x, y] = [value(a), value(b)]
    if (missing(x) || missing(y)) return Number(missing(x)) - Number(missing(y))
    return sort.descending ? compare(y, x) : compare(x, y)
  })
}

/** The rows that have every word in some column. */
export function searchRows<Row>(rows: Row[], columns: Column<Row>[], q: string): Row[] {
  const wanted = q.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return rows
  return rows.filter((row) => {
    const text = columns.map((column) => column.value?.(row) ?? '').join(' ').toLocaleLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
