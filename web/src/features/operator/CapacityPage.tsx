import { Button, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { capacityQuery } from '@/api/operator'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Failure, Loading } from '@/ui/states'

import { ArchiveDialog } from './ArchiveDialog'
import { CapacityTable } from './CapacityTable'
import { CapacityTiles } from './CapacityTiles'
import { DatabasesTable } from './DatabasesTable'
import { FillsUpFirst } from './FillsUpFirst'
import { OperationActions } from './OperationActions'
import { OperationList } from './OperationList'

/** The interval of fetching the figures while the page is visible, in milliseconds. */
const EVERY = 30_000

/** The fill of streams, outboxes and the broker's disk, and when each is full. */
export function CapacityPage() {
  const t = useTexts()
  const [isArchiving, setArchiving] = useState(false)
  const { data, error, isPending, refetch, dataUpdatedAt } = useQuery({ ...capacityQuery(), refetchInterval: EVERY })
  return (
    <Page
      title={t('operator.capacity')}
      lead={t('operator.capacityLead')}
      size="fluid"
      aside={
        <Button
          variant="default"
          onClick={() => {
            setArchiving(true)
          }}
        >
          {t('operator.archiveDots')}
        </Button>
      }
    >
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
      <section>
        <Title order={2} size="h3" mb="xs">
          {t('operator.archiveRuns')}
        </Title>
        <OperationList
          filter={({ verb }) => verb === 'archive'}
          empty={t('operator.archiveRunsEmpty')}
          hint={t('operator.archiveRunsEmptyHint')}
          actions={(operation) => <OperationActions operation={operation} />}
        />
      </section>
      {isArchiving && (
        <ArchiveDialog
          onClose={() => {
            setArchiving(false)
          }}
        />
      )}
    </Page>
  )
}
