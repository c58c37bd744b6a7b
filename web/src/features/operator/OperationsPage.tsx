import { Badge, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import type { EventView } from '@/api/generated/types.gen'
import { operationsQuery } from '@/api/operator'
import { fetchNext } from '@/api/pages'
import { messageOf } from '@/api/problem'
import { paths } from '@/lib/paths'
import { type TextId, useTexts } from '@/lib/texts'
import { MoreButton } from '@/ui/MoreButton'
import { Page } from '@/ui/Page'
import { Empty, Failure, Loading } from '@/ui/states'
import type { Column } from '@/ui/table/columns'
import { DataTable } from '@/ui/table/DataTable'

import { ActorName } from './ActorName'
import { eventKey } from './event-key'
import { momentText } from './format'
import { type Ending, operationsOf, type Operation } from './operations'
import classes from './operations.module.css'

/** The interval of fetching, in milliseconds: events of other operators are not pushed. */
const POLL_INTERVAL = 10_000

const VERBS: Record<string, TextId> = {
  archive: 'operator.didArchive',
  replay: 'operator.didReplay',
  live: 'operator.didLive',
  rebuild: 'operator.didRebuild',
  verify: 'operator.didVerify',
  rollback: 'operator.didRollBack',
  republish: 'operator.didRepublish',
  retry: 'operator.didRetry',
  edit: 'operator.didEdit',
  discard: 'operator.didDiscard',
  reveal: 'operator.didReveal',
  export: 'operator.didExport',
  import: 'operator.didImport',
  pause: 'operator.didPause',
  resume: 'operator.didResume',
  cancel: 'operator.didCancel',
}

const ENDINGS: Record<Ending, { label: TextId; color: string }> = {
  done: { label: 'operator.stateDone', color: 'leaf' },
  cancelled: { label: 'operator.stateCancelled', color: 'gray' },
  failed: { label: 'operator.stateFailed', color: 'red' },
}

/** The operations on the event history, with time and reason. */
export function OperationsPage() {
  const t = useTexts()
  const events = useInfiniteQuery({ ...operationsQuery(), refetchInterval: POLL_INTERVAL })
  const rows = operationsOf(events.data?.pages.flatMap((page): EventView[] => page.rows) ?? [])
  const columns: Column<Operation>[] = [
    {
      id: 'time',
      label: t('operator.time'),
      cell: ({ time }) => (
        <time dateTime={time} className={classes.moment}>
          {momentText(time)}
        </time>
      ),
    },
    { id: 'who', label: t('operator.who'), cell: ({ actor }) => <ActorName actor={actor} /> },
    {
      id: 'what',
      label: t('operator.what'),
      cell: (one) => {
        const verb = VERBS[one.verb]
        return (
          <Link to={paths.operator.events({ stream: 'OPERATIONS', at: eventKey(one) })} className={classes.link ?? ''}>
            {verb === undefined ? `${one.verb} ${one.target}` : t(verb, { target: one.target })}
          </Link>
        )
      },
    },
    { id: 'why', label: t('operator.why'), cell: ({ reason }) => reason },
    {
      id: 'end',
      label: t('operator.outcome'),
      minor: true,
      cell: ({ ending, error }) =>
        ending === null ? (
          '–'
        ) : (
          <>
            <Badge size="sm" variant="light" color={ENDINGS[ending].color}>
              {t(ENDINGS[ending].label)}
            </Badge>
            {error !== null && <Text size="sm">{error}</Text>}
          </>
        ),
    },
  ]
  return (
    <Page title={t('operator.operations')} lead={t('operator.operationsLead')} size="fluid">
      {events.isPending && <Loading />}
      {events.error !== null && (
        <Failure message={messageOf(events.error, t('operator.eventsFailed'))} retry={() => void events.refetch()} />
      )}
      {events.isSuccess && rows.length === 0 && (
        <Empty text={t('operator.operationsEmpty')} hint={t('operator.operationsEmptyHint')} art="empty-list" />
      )}
      {rows.length > 0 && (
        <DataTable
          dense
          label={t('operator.operations')}
          columns={columns}
          rows={rows}
          rowId={(one) => String(one.seq)}
          rowName={(one) => `${one.verb} ${one.target}`}
          sort={null}
          onSort={() => undefined}
        />
      )}
      {events.hasNextPage && (
        <MoreButton label={t('operator.older')} isLoading={events.isFetchingNextPage} onMore={() => void fetchNext(events)} />
      )}
    </Page>
  )
}
