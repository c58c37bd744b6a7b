import { Button, Group, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { overviewQuery } from '@/api/operator'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Failure, Loading } from '@/ui/states'

import { ARCHIVE, AUDIT, LOG, ModelsTable } from './ModelsTable'
import { RepublishDialog } from './RepublishDialog'
import { OperationActions } from './OperationActions'
import { OperationList } from './OperationList'
import { isReplay } from './operation-progress'
import { VerifyAll } from './VerifyAll'

/** Verifies and rebuilds read models; republishes events from the outboxes. */
export function ModelsPage() {
  const t = useTexts()
  const { data, error, isPending, refetch } = useQuery(overviewQuery())
  const [isRepublishing, republish] = useState(false)
  const models = data?.streams.flatMap((stream) => stream.consumers).filter((one) => one.tables.length > 0) ?? []
  const archived = data?.streams.filter((stream) => stream.archived != null).map((stream) => stream.name) ?? []
  const archive = archived.length === 0 ? [] : [{ name: ARCHIVE, tables: archived }]
  const verifiable = data === undefined ? [] : [...models, LOG, AUDIT, ...archive]
  return (
    <Page
      title={t('operator.models')}
      lead={t('operator.modelsLead')}
      size="fluid"
      aside={
        <Group gap="sm">
          <VerifyAll models={verifiable.map(({ name }) => name)} />
          <Button
            variant="default"
            onClick={() => {
              republish(true)
            }}
          >
            {t('operator.republishDots')}
          </Button>
        </Group>
      }
    >
      {isPending && <Loading />}
      {error !== null && <Failure message={messageOf(error, t('operator.streamsFailed'))} retry={() => void refetch()} />}
      {data !== undefined && <ModelsTable models={verifiable} />}
      <section>
        <Title order={2} size="h3" mb="xs">
          {t('operator.longOperations')}
        </Title>
        <OperationList
          filter={(operation) => !isReplay(operation)}
          empty={t('operator.longOperationsEmpty')}
          hint={t('operator.longOperationsEmptyHint')}
          actions={(operation) => <OperationActions operation={operation} />}
        />
      </section>
      {isRepublishing && (
        <RepublishDialog
          services={data?.services.map((service) => service.name) ?? []}
          onClose={() => {
            republish(false)
          }}
        />
      )}
    </Page>
  )
}
