import { Button, Card, Stack, Text, Title } from '@mantine/core'
import { IconDownload, IconFileZip } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { downloadCopy, requestCopy } from '@/api/generated/sdk.gen'
import type { CopyAnswer } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'
import { downloadFile } from '@/lib/download-file'
import { dateText, sizeText } from '@/lib/format'
import { language, useTexts } from '@/lib/texts'
import { FormError } from '@/ui/FormError'
import { Failure, Loading } from '@/ui/states'

import classes from './account.module.css'
import { copyQuery } from './copy'
import { ProofPrompt } from './two-step/ProofPrompt'

/** The user's copy of all that the platform holds about them. */
export function YourData() {
  const t = useTexts()
  const { data, error, isPending, refetch } = useQuery(copyQuery())
  return (
    <Card component="section" withBorder padding="lg" className={classes.card} aria-labelledby="your-data">
      <ProofPrompt />
      <Stack gap="sm">
        <Title order={2} size="h3" id="your-data">
          {t('account.yourData')}
        </Title>
        <Text size="sm">{t('account.copyLead')}</Text>
        {isPending && <Loading />}
        {error !== null && <Failure message={messageOf(error, t('account.unreachable'))} retry={() => void refetch()} />}
        {data !== undefined && <CopyActions copy={data} />}
      </Stack>
    </Card>
  )
}

function CopyActions({ copy }: { copy: CopyAnswer }) {
  const t = useTexts()
  const queries = useQueryClient()
  const { queryKey } = copyQuery()
  const request = useMutation({
    mutationFn: () => requestCopy({ body: { language: language() } }),
    onSuccess: (asked) => {
      queries.setQueryData(queryKey, asked)
    },
    // One may be under way that another tab asked for.
    onError: () => queries.invalidateQueries({ queryKey }),
  })
  const download = useMutation({
    mutationFn: async () => {
      downloadFile('tiffin-copy.zip', await downloadCopy())
    },
    onError: () => queries.invalidateQueries({ queryKey }),
  })
  const failure = request.error ?? download.error
  const isUnderWay = copy.state === 'underWay'
  return (
    <>
      <Text size="sm" role="status">
        <CopyState copy={copy} />
      </Text>
      {failure !== null && <FormError>{messageOf(failure, t('account.unreachable'))}</FormError>}
      {copy.state === 'ready' && (
        <Button
          leftSection={<IconDownload size={18} aria-hidden />}
          loading={download.isPending}
          onClick={() => {
            download.mutate()
          }}
        >
          {t('account.copyDownload')}
        </Button>
      )}
      {!isUnderWay && (
        <Button
          variant="default"
          leftSection={<IconFileZip size={18} aria-hidden />}
          loading={request.isPending}
          onClick={() => {
            request.mutate()
          }}
        >
          {copy.state === 'none' ? t('account.copyRequest') : t('account.copyRequestAgain')}
        </Button>
      )}
    </>
  )
}

function CopyState({ copy }: { copy: CopyAnswer }) {
  const t = useTexts()
  switch (copy.state) {
    case 'none':
      return t('account.copyNone')
    case 'underWay':
      return t('account.copyUnderWay')
    case 'ready':
      return t('account.copyReady', { size: sizeText(copy.size ?? 0), date: dateText(copy.expiresAt) })
    case 'failed':
      return copy.missing ? t('account.copyFailedAt', { service: copy.missing }) : t('account.copyFailed')
  }
}
