import { Button, Group, Table, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'

import { csvFile, csvOf } from '@/lib/csv'
import { downloadFile } from '@/lib/download-file'
import { MONEY_PREFIX, moneyText } from '@/lib/format'
import { countText } from '@/lib/numbers'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

import { type Bar, Bars } from './Bars'
import { Ranking } from './Ranking'
import classes from './figures.module.css'

interface FigureRow {
  label: string
  /** Its short name, for the axis. */
  mark?: string
  /** Its name in an export. */
  exported?: string
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
  /** The rows of the chart and of an export. */
  rows: FigureRow[]
  /** The rows of the table, where it has others. */
  listed?: FigureRow[]
  isRanking?: boolean
  /** The things counted as `orders`, where they are no orders. */
  counted?: string
  /** The file name of an export, without its ending. */
  file: string
}

/** Figures as a chart and, beside it, as a table. */
export function FigureTable({ title, unit, measure, rows, listed = rows, isRanking = false, counted, file }: Props) {
  const t = useTexts()
  const heads = [counted ?? t('owner.orders'), t('owner.revenue'), t('owner.unpaidAmount')]
  const countOf = (count: number) => (counted === undefined ? t('owner.orderCount', { count }) : countText(count))
  const bars = rows.map((row): Bar => ({
    label: row.label,
    mark: row.mark ?? row.label,
    value: row[measure],
    text: measure === 'revenue' ? moneyText(row.revenue) : countOf(row.orders),
  }))
  const label = measure === 'orders' && counted !== undefined ? counted : t(`owner.${measure}`)
  return (
    <section className={classes.section} aria-label={title}>
      <Group justify="space-between" gap="xs" mb="sm">
        <Title order={2} size="h3">
          {title}
        </Title>
        <Download title={title} file={file} columns={[unit, ...heads]} rows={rows} />
      </Group>
      {listed.length === 0 ? (
        <Text c="dimmed">{t('owner.noOrdersInSpan')}</Text>
      ) : (
        <div className={classes.pair}>
          {isRanking ? (
            <Ranking label={label} bars={bars} />
          ) : (
            <Bars label={label} bars={bars} unit={measure === 'revenue' ? MONEY_PREFIX : ''} />
          )}
          {/* Reached by keyboard, so that it can be scrolled by one. */}
          <div className={classes.rows} tabIndex={0} role="region" aria-label={t('owner.tableOf', { title })}>
            <Table verticalSpacing={6} aria-label={title}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">{unit}</Table.Th>
                  {heads.map((head) => (
                    <Table.Th key={head} scope="col" className={classes.number ?? ''}>
                      {head}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {listed.map(({ label: name, orders, revenue, unpaid }) => (
                  <Table.Tr key={name}>
                    <Table.Td>{name}</Table.Td>
                    <Table.Td className={classes.number ?? ''}>{countText(orders)}</Table.Td>
                    <Table.Td className={classes.number ?? ''}>{moneyText(revenue)}</Table.Td>
                    <Table.Td className={classes.number ?? ''}>{moneyText(unpaid)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </div>
        </div>
      )}
    </section>
  )
}

function Download({ title, file, columns, rows }: Pick<Props, 'title' | 'file' | 'rows'> & { columns: string[] }) {
  const t = useTexts()
  const saving = useMutation({
    mutationFn: async () => {
      const cells = rows.map(({ exported, label, orders, revenue, unpaid }) => [exported ?? label, orders, revenue, unpaid])
      downloadFile(`${file}.csv`, csvFile(await csvOf(columns, cells)))
    },
    onError: () => {
      toast.error(t('owner.failed'))
    },
  })
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconDownload size={16} />}
      aria-label={`${t('owner.download')}: ${title}`}
      loading={saving.isPending}
      onClick={() => {
        saving.mutate()
      }}
    >
      {t('owner.download')}
    </Button>
  )
}
