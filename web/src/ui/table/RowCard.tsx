import { Group } from '@mantine/core'
import type { ReactNode } from 'react'

import type { Column } from './columns'
import classes from './table.module.css'

interface Props<Row> {
  row: Row
  name: string
  columns: Column<Row>[]
  expanded: ReactNode
}

/** One row where there is no room for a table. */
export function RowCard<Row>({ row, name, columns, expanded }: Props<Row>) {
  const at = (slot: Column<Row>['slot']) => columns.filter((column) => column.slot === slot)
  const cells = (slot: Column<Row>['slot']) =>
    at(slot).map((column) => <div key={column.id}>{column.cell(row, 'card')}</div>)
  const lines = at(undefined)
  return (
    <article className={classes.card} aria-label={name}>
      <Group gap="sm" wrap="nowrap" align="center">
        {cells('picture')}
        <div className={classes.heading}>{cells('heading')}</div>
      </Group>
      {lines.length > 0 && (
        <dl className={classes.lines}>
          {lines.map((column) => (
            <div key={column.id}>
              <dt>{column.label}</dt>
              <dd>{column.cell(row, 'card')}</dd>
            </div>
          ))}
        </dl>
      )}
      {expanded}
      {at('foot').length > 0 && <div className={classes.foot}>{cells('foot')}</div>}
    </article>
  )
}
