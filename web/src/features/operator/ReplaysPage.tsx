import { Button, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'

import { overviewQuery } from '@/api/operator'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Failure, Loading } from '@/ui/states'

import { ReplayForm } from './ReplayForm'
import { OperationActions } from './OperationActions'
import { OperationList } from './OperationList'
import { isReplay } from './operation-progress'

/** Replays to one consumer, with their progress. */
export function ReplaysPage() {
  const t = useTexts()
  const [params, setParams] = useSearchParams()
  const stream = params.get('stream') ?? ''
  const consumer = params.get('consumer') ?? ''
  const [isOpen, setOpen] = useState(stream !== '')
  const overview = useQuery({ ...overviewQuery(), enabled: isOpen })
  return (
    <Page
      title={t('operator.replays')}
      lead={t('operator.replaysLead')}
      size="fluid"
      aside={
        !isOpen && (
          <Button
            onClick={() => {
              setOpen(true)
            }}
          >
            {t('operator.newReplay')}
          </Button>
        )
      }
    >
      {isOpen && overview.isPending && <Loading />}
      {isOpen && overview.error !== null && (
        <Failure message={messageOf(overview.error, t('operator.streamsFailed'))} retry={() => void overview.refetch()} />
      )}
      {isOpen && overview.data !== undefined && (
        <ReplayForm
          overview={overview.data}
          stream={stream}
          consumer={consumer}
          onDone={() => {
            setOpen(false)
            setParams({}, { replace: true })
          }}
        />
      )}
      <section>
        <Title order={2} size="h3" mb="xs">
          {t('operator.replaysSoFar')}
        </Title>
        <OperationList
          filter={isReplay}
          empty={t('operator.replaysEmpty')}
          hint={t('operator.replaysEmptyHint')}
          actions={(operation) => <OperationActions operation={operation} />}
        />
      </section>
    </Page>
  )
}
