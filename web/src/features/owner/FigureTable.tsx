import { Table, Title } from '@mantine/core'

import { rupees } from '@/lib/format'
import { useTexts } from '@/lib/texts'

import { Bars } from './Bars'
import classes from './figures.module.css'

interface FigureRow {
  label: string
  orders: number
  /** Rupees. */
  revenue: number
  /** Rupees. */
  unpaid: number
}

export type Measure = 'orders' | 'revenue'

interface Props {
  title: string
  /** The subject of a row. */
  unit: string
  measure: Measure
  rows: FigureRow[]
}

/** Figures as a chart and, beside it, as a table. */
export function FigureTable({ title, unit, measure, rows }: Props) {
  const t = useTexts()
  const shown = t(`owner.${measure}`)
  const bars = rows.map((row) => ({
    label: row.label,
    value: row[measure],
    text: measure === 'revenue' ? rupees(row.revenue) : t('owner.orderCount', { count: row.orders }),
  }))
  return (
    <section className={classes.section} aria-label={title}>
      <Title order={2} size="h3" mb="sm">
        {title}
      </Title>
      <div className={classes.pair}>
        <Bars label={shown} bars={bars} />
        {/* Reached by keyboard, so that it can be scrolled by one. */}
        <div className={classes.rows} tabIndex={0} role="region" aria-label={t('owner.tableOf', { title })}>
          <Table verticalSpacing={6} aria-label={title}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{unit}</Table.Th>
                <Table.Th scope="col" className={classes.number ?? ''}>
                  {t('owner.orders')}
                </Table.Th>
                <Table.Th scope="col" className={classes.number ?? ''}>
                  {t('owner.revenue')}
                </Table.Th>
                <Table.Th scope="col" className={classes.number ?? ''}>
                  {t('owner.unpaidAmount')}
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ label, orders, revenue, unpaid }) => (
                <Table.Tr key={label}>
                  <Table.Td>{label}</Table.Td>
                  <Table.Td className={classes.number ?? ''}>{orders}</Table.Td>
                  <Table.Td className={classes.number ?? ''}>{rupees(revenue)}</Table.Td>
                  <Table.Td className={classes.number ?? ''}>{rupees(unpaid)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      </div>
    </section>
  )
}
