import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { deadLetterCausesQuery, overviewQuery } from '@/api/operator'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Failure, Loading } from '@/ui/states'

import { DeadLetterCauses } from './DeadLetterCauses'
import { ConsumersTable } from './ConsumersTable'
import classes from './console.module.css'
import { OverviewTiles } from './OverviewTiles'
import { OutboxesTable } from './OutboxesTable'
import { type Sample, withSample } from './rates'
import { StreamsTable } from './StreamsTable'

/** The interval of fetching the broker's figures while the page is visible, in milliseconds. They are no events, so no hint comes. */
const EVERY = 2_000
const DEAD_LETTERS_EVERY = 10_000

/** The content of the streams, and the progress of their readers. */
export function StreamsPage() {
  const t = useTexts()
  const { data, error, isPending, refetch, dataUpdatedAt } = useQuery({ ...overviewQuery(), refetchInterval: EVERY })
  const causes = useQuery({ ...deadLetterCausesQuery(), refetchInterval: DEAD_LETTERS_EVERY })
  const [samples, setSamples] = useState<Sample[]>([])
  if (data !== undefined && samples.at(-1)?.at !== dataUpdatedAt) setSamples(withSample(samples, dataUpdatedAt, data.streams))
  return (
    <Page title={t('operator.streams')} lead={t('operator.streamsLead')} size="fluid">
      {isPending && <Loading />}
      {error !== null && <Failure message={messageOf(error, t('operator.streamsFailed'))} retry={() => void refetch()} />}
      {data !== undefined && (
        <>
          <OverviewTiles overview={data} samples={samples} />
          <StreamsTable streams={data.streams} samples={samples} now={dataUpdatedAt} />
          <div className={classes.pair}>
            <OutboxesTable services={data.services} />
            <DeadLetterCauses causes={causes} />
          </div>
          <ConsumersTable overview={data} />
        </>
      )}
    </Page>
  )
}
