import { Anchor } from '@mantine/core'
import { Link } from 'react-router'

import type { EventView } from '@/api/generated/types.gen'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import type { Column } from '@/ui/table/columns'
import { DataTable } from '@/ui/table/DataTable'

import { ActorName } from './ActorName'
import { nameOf, readEvent, textOf } from './envelope'
import type { EventAddress } from './event-address'
import { eventKey } from './event-key'
import classes from './events.module.css'
import { momentText, shortId } from './format'
import { matchText } from './match-text'

interface Props {
  rows: EventView[]
  address: EventAddress
  /** True if an event is shown beside them. */
  isBeside: boolean
}

/** Events, newest first. The arrow keys show each one beside the list. */
export function EventRows({ rows, address, isBeside }: Props) {
  const t = useTexts()
  const current = address.at === null ? null : eventKey(address.at)
  const columns: Column<EventView>[] = [
    {
      id: 'time',
      label: t('operator.time'),
      cell: ({ event }) => {
        const { time } = readEvent(event)
        return (
          <time dateTime={time} className={classes.time}>
            {momentText(time)}
          </time>
        )
      },
    },
    {
      id: 'type',
      label: t('operator.event'),
      cell: (row) => {
        const { type, data } = readEvent(row.event)
        const match = matchText(data, address.filter.q)
        return (
          <>
            <Link
              to={address.linkTo(row)}
              replace
              preventScrollReset
              className={classes.open ?? ''}
              data-aggregate={type.split('.')[1]}
              aria-current={eventKey(row) === current || undefined}
              title={type}
              onFocus={() => {
                if (isBeside && eventKey(row) !== current) address.open(row)
              }}
            >
              {nameOf(type)}
            </Link>
            {match !== null && <small className={classes.match}>{match}</small>}
          </>
        )
      },
    },
    {
      id: 'aggregate',
      label: t('operator.aggregate'),
      minor: true,
      cell: ({ event }) => {
        const { subject, data } = readEvent(event)
        return (
          <Anchor component={Link} to={paths.operator.events({ aggregate: subject })} className={classes.aside ?? ''} title={subject}>
            {textOf(data, 'orderCode') ?? shortId(subject)}
          </Anchor>
        )
      },
    },
    { id: 'actor', label: t('operator.actor'), minor: true, cell: ({ event }) => <ActorName actor={readEvent(event).actor} /> },
    {
      id: 'sequence',
      label: t('operator.sequence'),
      minor: true,
      end: true,
      cell: (row) => <span className={classes.code}>{eventKey(row)}</span>,
    },
  ]
  return (
    <DataTable
      dense
      label={t('operator.events')}
      columns={isBeside ? columns.filter(({ id }) => id !== 'actor' && id !== 'aggregate') : columns}
      rows={rows}
      rowId={eventKey}
      rowName={(row) => `${nameOf(readEvent(row.event).type)} ${eventKey(row)}`}
      sort={null}
      onSort={() => undefined}
      isCurrent={(row) => eventKey(row) === current}
    />
  )
}
