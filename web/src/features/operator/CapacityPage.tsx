import { useQuery } from '@tanstack/react-query'

import { capacityQuery } from '@/api/operator'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Failure, Loading } from '@/ui/states'

import { CapacityTable } from './CapacityTable'
import { CapacityTiles } from './CapacityTiles'
import { DatabasesTable } from './DatabasesTable'
import { FillsUpFirst } from './FillsUpFirst'

/** The interval of fetching the figures while the page is visible, in milliseconds. */
const EVERY = 30_000

/** The fill of streams, outboxes and the broker's disk, and when each is full. */
export function CapacityPage() {
  const t = useTexts()
  const { data, error, isPending, refetch, dataUpdatedAt } = useQuery({ ...capacityQuery(), refetchInterval: EVERY })
  return (
    <Page title={t('operator.capacity')} lead={t('operator.capacityLead')} size="fluid">
      {isPending && <Loading />}
      {error !== null && <Failure message={messageOf(error, t('operator.capacityFailed'))} retry={() => void refetch()} />}
      {data !== undefined && (
        <>
          <FillsUpFirst capacity={data} now={dataUpdatedAt} />
          <CapacityTiles capacity={data} now={dataUpdatedAt} />
          <CapacityTable capacity={data} now={dataUpdatedAt} />
          <DatabasesTable databases={data.databases} />
        </>
      )}
    </Page>
  )
}
