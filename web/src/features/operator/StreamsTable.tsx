import { Anchor, Progress, Title } from '@mantine/core'
import { Link } from 'react-router'

import type { ArchivedView, StreamView } from '@/api/generated/types.gen'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import type { Column } from '@/ui/table/columns'
import { DataTable } from '@/ui/table/DataTable'

import classes from './console.module.css'
import { bytesText, countText, durationText, momentText, rateText, secondsSince } from './format'
import { perSecond, type Sample } from './rates'
import { StreamActions } from './StreamActions'
import { isLogged } from './streams'

interface Props {
  streams: StreamView[]
  samples: Sample[]
  now: number
}

/** The archived part of a stream: its sequences, and the size of its segments. */
function archivedText(t: ReturnType<typeof useTexts>, { firstSeq, lastSeq, bytes }: ArchivedView): string {
  return t('operator.archivedRange', { first: countText(firstSeq), last: countText(lastSeq), size: bytesText(bytes) })
}

/** The streams, in the order of the catalogue. */
export function StreamsTable({ streams, samples, now }: Props) {
  const t = useTexts()
  const age = (time: string | null | undefined) =>
    time == null ? '–' : <time dateTime={time} title={momentText(time)}>{t('operator.ago', { age: durationText(secondsSince(time, now)) })}</time>
  const columns: Column<StreamView>[] = [
    {
      id: 'name',
      label: t('operator.stream'),
      slot: 'heading',
      cell: ({ name }) =>
        isLogged(name) ? (
          <Anchor component={Link} to={paths.operator.events({ stream: name })} className={classes.name ?? ''} fw={600}>
            {name}
          </Anchor>
        ) : (
          <strong className={classes.name}>{name}</strong>
        ),
    },
    {
      id: 'subjects',
      minor: true,
      label: t('operator.subjects'),
      cell: ({ subjects }) => <span className={classes.code}>{subjects.join(' ')}</span>,
    },
    { id: 'messages', label: t('operator.messages'), end: true, cell: (one) => countText(one.messages) },
    {
      id: 'rate',
      minor: true,
      label: t('operator.takenIn'),
      end: true,
      cell: ({ name }) => {
        const rate = perSecond(samples, name)
        return rate === null ? '–' : t('operator.perSecond', { rate: rateText(rate) })
      },
    },
    {
      id: 'bytes',
      minor: true,
      label: t('operator.size'),
      end: true,
      cell: ({ bytes, maxBytes }) => (
        <>
          <span title={t('operator.ofAtMost', { size: bytesText(maxBytes) })}>{bytesText(bytes)}</span>
          <Progress
            size={3}
            mt={2}
            color={bytes > maxBytes * 0.8 ? 'red' : 'ember'}
            value={Math.min(100, (bytes / maxBytes) * 100)}
            aria-label={t('operator.ofAtMost', { size: bytesText(maxBytes) })}
          />
        </>
      ),
    },
    {
      id: 'range',
      minor: true,
      label: t('operator.sequences'),
      end: true,
      cell: ({ messages, firstSeq, lastSeq }) => (messages === 0 ? '–' : `${countText(firstSeq)} – ${countText(lastSeq)}`),
    },
    {
      id: 'archived',
      minor: true,
      label: t('operator.archived'),
      end: true,
      cell: ({ archived }) =>
        archived == null ? '–' : <span title={archivedText(t, archived)}>{countText(archived.events)}</span>,
    },
    { id: 'first', minor: true, label: t('operator.oldest'), end: true, cell: (one) => age(one.firstTime) },
    { id: 'last', label: t('operator.newest'), end: true, cell: (one) => age(one.lastTime) },
    { id: 'actions', label: t('operator.actions'), slot: 'foot', cell: (stream) => <StreamActions stream={stream} /> },
  ]
  return (
    <section>
      <Title order={2} size="h3" mb="xs">
        {t('operator.streams')}
      </Title>
      <DataTable
        dense
        label={t('operator.streams')}
        columns={columns}
        rows={streams}
        rowId={(one) => one.name}
        rowName={(one) => one.name}
        sort={null}
        onSort={() => undefined}
      />
    </section>
  )
}
