import { Badge, Table } from '@mantine/core'

import { type TextId, useTexts } from '@/lib/texts'

import type { RowDiff } from './row-diff'
import classes from './operations.module.css'

const KINDS: Record<RowDiff['kind'], { label: TextId; color: string }> = {
  added: { label: 'operator.rowAdded', color: 'leaf' },
  removed: { label: 'operator.rowRemoved', color: 'red' },
  changed: { label: 'operator.rowChanged', color: 'amber' },
}

/** Rows before and after, field by field. */
export function RowChanges({ changes }: { changes: RowDiff[] }) {
  const t = useTexts()
  return (
    <ul className={classes.changes}>
      {changes.map(({ table, name, kind, fields }, at) => (
        <li key={`${table} ${name} ${String(at)}`}>
          <div className={classes.row}>
            <span className={classes.code}>
              {table} {name}
            </span>
            <Badge size="sm" variant="light" color={KINDS[kind].color}>
              {t(KINDS[kind].label)}
            </Badge>
          </div>
          <Table className={classes.diff ?? ''} verticalSpacing={2}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('operator.field')}</Table.Th>
                <Table.Th scope="col">{t('operator.before')}</Table.Th>
                <Table.Th scope="col">{t('operator.after')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {fields.map(({ field, before, after }) => (
                <Table.Tr key={field}>
                  <Table.Th scope="row">{field}</Table.Th>
                  <Table.Td>{before === undefined ? '–' : <del>{before}</del>}</Table.Td>
                  <Table.Td>{after === undefined ? '–' : <ins>{after}</ins>}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </li>
      ))}
    </ul>
  )
}
