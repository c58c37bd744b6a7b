import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { lettersQuery, standingQuery } from '@/api/operator'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Failure, Loading } from '@/ui/states'

import { Causes } from './Causes'
import { ConsumersTable } from './ConsumersTable'
import classes from './console.module.css'
import { Glance } from './Glance'
import { Outboxes } from './Outboxes'
import { type Sample, withSample } from './rates'
import { StreamsTable } from './StreamsTable'

/** The broker's figures are no events and nothing tells of them: they are asked for this often, in milliseconds, while the page is seen. */
const EVERY = 2_000
const LETTERS_EVERY = 10_000

/** The content of the streams, and the progress of their readers. */
export function StreamsPage() {
  const t = useTexts()
  const { data, error, isPending, refetch, dataUpdatedAt } = useQuery({ ...standingQuery(), refetchInterval: EVERY })
  const letters = useQuery({ ...lettersQuery(), refetchInterval: LETTERS_EVERY })
  const [samples, setSamples] = useState<Sample[]>([])
  if (data !== undefined && samples.at(-1)?.at !== dataUpdatedAt) setSamples(withSample(samples, dataUpdatedAt, data.streams))
  return (
    <Page title={t('operator.streams')} lead={t('operator.streamsLead')} size="fluid">
      {isPending && <Loading />}
      {error !== null && <Failure message={messageOf(error, t('operator.streamsFailed'))} retry={() => void refetch()} />}
      {data !== undefined && (
        <>
          <Glance standing={data} samples={samples} />
          <StreamsTable streams={data.streams} samples={samples} now={dataUpdatedAt} />
          <div className={classes.pair}>
            <Outboxes services={data.services} />
            <Causes letters={letters} />
          </div>
          <ConsumersTable standing={data} />
        </>
      )}
    </Page>
  )
}
