import { Anchor, Badge, Group, Switch, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'

import type { ConsumerView, Standing } from '@/api/generated/types.gen'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { type Column, type Sort, sortRows } from '@/ui/table/columns'
import { DataTable } from '@/ui/table/DataTable'

import classes from './console.module.css'
import { countText, durationText } from './format'

type Row = ConsumerView & { stream: string }

/** The readers of the streams, the one furthest behind first. */
export function ConsumersTable({ overview: { streams, services } }: { overview: Standing }) {
  const t = useTexts()
  const away = services.filter(({ isThere }) => !isThere).map(({ name }) => name)
  const [sort, setSort] = useState<Sort | null>(null)
  const [onlyBehind, setOnlyBehind] = useState(false)
  const columns: Column<Row>[] = [
    {
      id: 'name',
      label: t('operator.consumer'),
      slot: 'heading',
      sortable: true,
      value: (one) => one.name,
      cell: (one) => <span className={classes.name}>{one.name}</span>,
    },
    {
      id: 'state',
      label: t('operator.state'),
      sortable: true,
      value: severity,
      cell: (one) => <ConsumerState consumer={one} />,
    },
    countColumn('pending', t('operator.pending'), (one) => one.pending),
    { ...countColumn('inFlight', t('operator.inFlight'), (one) => one.inFlight), minor: true },
    { ...countColumn('redelivered', t('operator.redelivered'), (one) => one.redelivered), minor: true },
    {
      id: 'lag',
      label: t('operator.lag'),
      sortable: true,
      end: true,
      value: (one) => one.lagSeconds,
      cell: (one) => durationText(one.lagSeconds),
    },
    {
      id: 'blocked',
      label: t('operator.waitBehind'),
      sortable: true,
      end: true,
      value: (one) => one.parked,
      cell: (one) => (one.blocked === 0 ? '0' : t('operator.waitCounts', { aggregates: one.blocked, events: one.parked })),
    },
    {
      id: 'actions',
      label: t('operator.actions'),
      slot: 'foot',
      cell: ({ name, stream, takesReplays }) =>
        takesReplays ? (
          <Anchor component={Link} to={paths.operator.replays({ stream, consumer: name })} size="sm" aria-label={t('operator.replayTo', { consumer: name })}>
            {t('operator.replay')}
          </Anchor>
        ) : (
          <span className={classes.quiet}>{t(away.some((service) => name.startsWith(`${service}_`)) ? 'operator.serviceAway' : 'operator.onlyCopies')}</span>
        ),
    },
  ]
  const all = streams.flatMap(({ name, consumers }) => consumers.map((one) => ({ ...one, stream: name })))
  const rows = onlyBehind ? all.filter((one) => severity(one) > 0) : all
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h3">
          {t('operator.consumers')}
        </Title>
        <Switch
          label={t('operator.onlyBehind')}
          checked={onlyBehind}
          onChange={(event) => {
            setOnlyBehind(event.currentTarget.checked)
          }}
        />
      </Group>
      {rows.length === 0 ? (
        <p className={classes.quiet}>{t('operator.noneBehind')}</p>
      ) : (
        <DataTable
          dense
          label={t('operator.consumers')}
          columns={columns}
          rows={sort === null ? [...rows].sort((a, b) => severity(b) - severity(a) || b.lagSeconds - a.lagSeconds) : sortRows(rows, columns, sort)}
          rowId={(one) => one.name}
          rowName={(one) => one.name}
          sort={sort}
          onSort={setSort}
        />
      )}
    </section>
  )
}

function countColumn(id: string, label: string, value: (row: Row) => number): Column<Row> {
  return { id, label, sortable: true, end: true, value, cell: (row) => countText(value(row)) }
}

/** 0 up to date, 1 behind, 2 stopped for some aggregates. */
function severity({ blocked, pending, inFlight }: ConsumerView): number {
  if (blocked > 0) return 2
  return pending + inFlight > 0 ? 1 : 0
}

function ConsumerState({ consumer }: { consumer: ConsumerView }) {
  const t = useTexts()
  const states = [
    { color: 'leaf', label: t('operator.upToDate') },
    { color: 'amber', label: t('operator.behind') },
    { color: 'red', label: t('operator.blocked') },
  ]
  const state = states[severity(consumer)]
  return state === undefined ? null : (
    <Badge variant="light" color={state.color} size="sm">
      {state.label}
    </Badge>
  )
}
