import { Alert, Button, Drawer, Group, Switch } from '@mantine/core'
import { useHotkeys, useMediaQuery } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { eventsQuery, revealedEventsQuery } from '@/api/operator'
import { fetchNext } from '@/api/pages'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { MoreButton } from '@/ui/MoreButton'
import { Page } from '@/ui/Page'
import { Empty, Failure, Loading } from '@/ui/states'

import classes from './events.module.css'
import { useEventAddress } from './event-address'
import { eventKey } from './event-key'
import { EventDetail } from './EventDetail'
import { EventFilters } from './EventFilters'
import { EventRows } from './EventRows'
import { ExportDialog } from './ExportDialog'
import { ReasonDialog } from './ReasonDialog'
import { SavedSearches } from './SavedSearches'
import { useEventQuery } from './use-event-query'

/** The interval of asking for new events while following, in milliseconds; the log sends no hints. */
const FOLLOW_INTERVAL = 2_000

/** The event log: a search, and each event in full. */
export function EventsPage() {
  const t = useTexts()
  const address = useEventAddress()
  const { at, filter } = address
  const [isFollowing, setFollowing] = useState(false)
  const [isExporting, setExporting] = useState(false)
  const [isAsking, setAsking] = useState(false)
  // The reason for showing personal fields; only this component holds it.
  const [revealReason, setRevealReason] = useState<string | null>(null)
  const isWide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false })
  const { query, faults, types } = useEventQuery(filter)
  const isValid = query !== null
  const events = useInfiniteQuery(
    revealReason === null
      ? { ...eventsQuery(query ?? {}), enabled: isValid, refetchInterval: isFollowing && FOLLOW_INTERVAL }
      : { ...revealedEventsQuery(query ?? {}, revealReason), enabled: isValid },
  )
  const rows = isValid ? (events.data?.pages.flatMap((page) => page.rows) ?? []) : []
  const segmentsLeft = events.data?.pages.at(-1)?.segmentsLeft ?? 0
  useHotkeys([['Escape', address.close]])
  const detail = at !== null && <EventDetail key={eventKey(at)} at={at} onClose={address.close} />
  return (
    <Page
      title={t('operator.events')}
      lead={t('operator.eventsLead')}
      size="fluid"
      aside={
        <Group gap="md">
          <Switch
            label={t('operator.follow')}
            checked={isFollowing && revealReason === null}
            disabled={revealReason !== null}
            onChange={(event) => {
              setFollowing(event.currentTarget.checked)
            }}
          />
          <Button
            variant="default"
            size="sm"
            disabled={revealReason !== null}
            onClick={() => {
              setAsking(true)
            }}
          >
            {t('operator.revealSearch')}
          </Button>
          <Button
            variant="default"
            size="sm"
            onClick={() => {
              setExporting(true)
            }}
          >
            {t('operator.export')}
          </Button>
        </Group>
      }
    >
      <EventFilters address={address} faults={faults} types={types} />
      <SavedSearches filter={filter} />
      {revealReason !== null && (
        <Alert color="amber" variant="light" p="xs" role="status" mb="xs">
          <Group justify="space-between" gap="xs">
            {t('operator.searchRevealed')}
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                setRevealReason(null)
              }}
            >
              {t('operator.maskAgain')}
            </Button>
          </Group>
        </Alert>
      )}
      <div className={classes.split} data-open={(isWide && at !== null) || undefined}>
        <div className={classes.list}>
          {(isValid ? events.isPending : Object.keys(faults).length === 0) && <Loading />}
          {isValid && events.error !== null && (
            <Failure message={messageOf(events.error, t('operator.eventsFailed'))} retry={() => void events.refetch()} />
          )}
          {Object.keys(faults).length > 0 && <p className={classes.quiet}>{t('operator.filterFirst')}</p>}
          {isValid && events.isSuccess && rows.length === 0 && !events.hasNextPage && (
            <Empty text={t('operator.eventsEmpty')} art="empty-list" hint={t('operator.eventsEmptyHint')}>
              <Button variant="default" onClick={address.clear}>
                {t('operator.clearFilters')}
              </Button>
            </Empty>
          )}
          {rows.length > 0 && (
            <p className={classes.quiet} role="status">
              {t(events.hasNextPage ? 'operator.eventsSoFar' : 'operator.eventsCount', { count: rows.length })}
            </p>
          )}
          {rows.length > 0 && <EventRows rows={rows} address={address} isBeside={isWide && at !== null} />}
          {isValid && events.hasNextPage && (
            <>
              {segmentsLeft > 0 && (
                <p className={classes.left} role="status">
                  {t('operator.archiveLeft', { count: segmentsLeft })}
                </p>
              )}
              <MoreButton
                label={segmentsLeft > 0 ? t('operator.searchOn') : t('operator.older')}
                isLoading={events.isFetchingNextPage}
                onMore={() => void fetchNext(events)}
              />
            </>
          )}
        </div>
        {isWide && detail !== false && (
          <aside className={classes.detail} aria-label={t('operator.event')}>
            {detail}
          </aside>
        )}
      </div>
      {!isWide && (
        <Drawer.Root opened={at !== null} onClose={address.close} position="right" size="min(100%, 560px)">
          <Drawer.Overlay />
          <Drawer.Content aria-label={t('operator.event')}>
            <Drawer.Body>{detail}</Drawer.Body>
          </Drawer.Content>
        </Drawer.Root>
      )}
      {isAsking && (
        <ReasonDialog
          title={t('operator.revealSearch')}
          message={t('operator.revealSearchMessage')}
          confirm={t('operator.show')}
          act={(reason) => {
            setRevealReason(reason)
            return Promise.resolve()
          }}
          onClose={() => {
            setAsking(false)
          }}
        />
      )}
      {isExporting && (
        <ExportDialog
          stream={filter.stream}
          query={query ?? undefined}
          onClose={() => {
            setExporting(false)
          }}
        />
      )}
    </Page>
  )
}
