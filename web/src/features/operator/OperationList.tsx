import { Stack } from '@mantine/core'
import { useThrottledCallback } from '@mantine/hooks'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import type { ReplayView } from '@/api/generated/types.gen'
import { longOperationsQuery } from '@/api/operator'
import { fetchNext } from '@/api/pages'
import { messageOf } from '@/api/problem'
import { useTopic } from '@/lib/live/hooks'
import { useTexts } from '@/lib/texts'
import { MoreButton } from '@/ui/MoreButton'
import { Empty, Failure, Loading } from '@/ui/states'

import { OperationCard } from './OperationCard'
import { isUnderWay } from './operation-progress'

/** The shortest interval between fetches that progress frames cause, in milliseconds. */
const PROGRESS_INTERVAL = 500
/** The interval of fetching while an operation is under way: its last progress frame may come before its end is stored. */
const RUNNING_INTERVAL = 2_000
/** The interval of fetching otherwise: operations of others send no hint. */
const IDLE_INTERVAL = 10_000

interface Props {
  filter: (operation: ReplayView) => boolean
  empty: string
  hint: string
  actions: (operation: ReplayView) => ReactNode
}

/** The operations that take time, newest first, with their progress. */
export function OperationList({ filter, empty, hint, actions }: Props) {
  const t = useTexts()
  const operations = useInfiniteQuery({
    ...longOperationsQuery(),
    refetchInterval: ({ state }) => (state.data?.pages.flat().some(isUnderWay) === true ? RUNNING_INTERVAL : IDLE_INTERVAL),
  })
  const shown = operations.data?.pages.flat().filter(filter) ?? []
  return (
    <Stack gap="sm">
      {operations.isPending && <Loading />}
      {operations.error !== null && <Failure message={messageOf(operations.error, t('operator.longOperationsFailed'))} retry={() => void operations.refetch()} />}
      {operations.isSuccess && shown.length === 0 && <Empty text={empty} hint={hint} art="empty-list" />}
      {shown.filter(isUnderWay).map((operation) => (
        <Watch key={operation.replayId} id={operation.replayId} />
      ))}
      {shown.map((operation) => (
        <OperationCard key={operation.replayId} operation={operation}>
          {actions(operation)}
        </OperationCard>
      ))}
      {operations.hasNextPage && (
        <MoreButton label={t('operator.older')} isLoading={operations.isFetchingNextPage} onMore={() => void fetchNext(operations)} />
      )}
    </Stack>
  )
}

/** Follows an operation under way on the socket. */
function Watch({ id }: { id: string }) {
  const queries = useQueryClient()
  const refetch = useThrottledCallback(() => {
    void queries.invalidateQueries({ queryKey: longOperationsQuery().queryKey }, { cancelRefetch: false })
  }, PROGRESS_INTERVAL)
  useTopic(`replay:${id}`, (frame) => {
    if (frame.type === 'progress' || frame.type === 'watching') refetch()
  })
  return null
}
