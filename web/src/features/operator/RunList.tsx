import { Button, Group, Stack } from '@mantine/core'
import { useThrottledCallback } from '@mantine/hooks'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import type { ReplayView } from '@/api/generated/types.gen'
import { runsQuery } from '@/api/operator'
import { messageOf } from '@/api/problem'
import { useTopic } from '@/lib/live/hooks'
import { useTexts } from '@/lib/texts'
import { Empty, Failure, Loading } from '@/ui/states'

import { RunCard } from './RunCard'
import { isUnderWay } from './runs'

/** The shortest interval between fetches that progress frames cause, in milliseconds. */
const PROGRESS_INTERVAL = 500
/** And so often without a word, in case the last one came before its end was noted. */
const RUNNING_INTERVAL = 2_000
/** Actions of other operators send no hint. */
const IDLE_INTERVAL = 10_000

interface Props {
  filter: (run: ReplayView) => boolean
  empty: string
  hint: string
  actions: (run: ReplayView) => ReactNode
}

/** The actions that take time, newest first, with their progress. */
export function RunList({ filter, empty, hint, actions }: Props) {
  const t = useTexts()
  const runs = useInfiniteQuery({
    ...runsQuery(),
    refetchInterval: ({ state }) => (state.data?.pages.flat().some(isUnderWay) === true ? RUNNING_INTERVAL : IDLE_INTERVAL),
  })
  const shown = runs.data?.pages.flat().filter(filter) ?? []
  return (
    <Stack gap="sm">
      {runs.isPending && <Loading />}
      {runs.error !== null && <Failure message={messageOf(runs.error, t('operator.runsFailed'))} retry={() => void runs.refetch()} />}
      {runs.isSuccess && shown.length === 0 && <Empty text={empty} hint={hint} art="empty-list" />}
      {shown.filter(isUnderWay).map((run) => (
        <Watch key={run.replayId} id={run.replayId} />
      ))}
      {shown.map((run) => (
        <RunCard key={run.replayId} run={run}>
          {actions(run)}
        </RunCard>
      ))}
      {runs.hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
            {t('operator.older')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

/** Follows what is under way on the socket. */
function Watch({ id }: { id: string }) {
  const queries = useQueryClient()
  const refetch = useThrottledCallback(() => {
    void queries.invalidateQueries({ queryKey: runsQuery().queryKey }, { cancelRefetch: false })
  }, PROGRESS_INTERVAL)
  useTopic(`replay:${id}`, (frame) => {
    if (frame.type === 'progress' || frame.type === 'watching') refetch()
  })
  return null
}
