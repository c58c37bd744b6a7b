import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { IconDeviceMobile } from '@tabler/icons-react'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { getPhoneToken, makePhoneToken, revokePhoneToken } from '@/api/generated/sdk.gen'
import type { PhoneOutcome, PhoneToken } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'
import { agoText, dateTimeText } from '@/lib/format'
import { type TextId, useTexts } from '@/lib/texts'
import { confirmDelete } from '@/ui/confirm'
import { FormError } from '@/ui/FormError'
import { Failure, Loading } from '@/ui/states'
import { toast } from '@/ui/toast'

import classes from '@/features/driver/driver.module.css'

import { NewToken } from './NewToken'

/** The interval of looking for the last use, in milliseconds. */
const USE_INTERVAL = 15_000

const outcomes: Record<PhoneOutcome, TextId> = {
  used: 'driver.lockedOutcomeUsed',
  'no-delivery': 'driver.lockedOutcomeNoDelivery',
  ahead: 'driver.lockedOutcomeAhead',
  'too-old': 'driver.lockedOutcomeTooOld',
  impossible: 'driver.lockedOutcomeImpossible',
}

function phoneTokenQuery() {
  return queryOptions({ queryKey: ['phone-token'], queryFn: ({ signal }) => getPhoneToken({ signal }), refetchInterval: USE_INTERVAL })
}

/** The token with which a program on the driver's phone shares their place while the phone is locked. */
export function LockedPhone() {
  const t = useTexts()
  const { data, error, isPending, refetch } = useQuery(phoneTokenQuery())
  return (
    <Card component="section" withBorder padding="lg" className={classes.card} aria-labelledby="locked-phone">
      <Stack gap="sm">
        <Title order={2} size="h3" id="locked-phone">
          {t('driver.lockedTitle')}
        </Title>
        <Text size="sm">{t('driver.lockedLead')}</Text>
        {isPending && <Loading />}
        {error !== null && data === undefined && <Failure message={messageOf(error, t('driver.lockedFailed'))} retry={() => void refetch()} />}
        {data !== undefined && <Token token={data.token ?? null} />}
      </Stack>
    </Card>
  )
}

function Token({ token }: { token: PhoneToken | null }) {
  const t = useTexts()
  const queries = useQueryClient()
  const [secret, setSecret] = useState<string | null>(null)
  const { queryKey } = phoneTokenQuery()
  const make = useMutation({
    mutationFn: () => makePhoneToken(),
    // Kept by this component alone, and not by the cache of mutations.
    gcTime: 0,
    onSuccess: (made) => {
      setSecret(made.token)
      return queries.invalidateQueries({ queryKey })
    },
  })
  const revoke = useMutation({
    mutationFn: () => revokePhoneToken(),
    onSuccess: (answer) => {
      queries.setQueryData(queryKey, answer)
      setSecret(null)
      toast.success(t('driver.lockedRevoked'))
    },
  })
  const failure = make.error ?? revoke.error
  const done = () => {
    setSecret(null)
    make.reset()
  }
  const makeAnother = async () => {
    if (token !== null && !(await confirmDelete({ warning: t('driver.lockedReplaceWarning'), confirm: t('driver.lockedReplace') }))) return
    make.mutate()
  }
  const askRevoke = async () => {
    if (await confirmDelete({ warning: t('driver.lockedRevokeWarning'), confirm: t('driver.lockedRevokeConfirm') })) revoke.mutate()
  }
  return (
    <>
      {failure !== null && <FormError>{messageOf(failure, t('driver.lockedFailed'))}</FormError>}
      <Text size="sm" role="status" data-testid="phone-token">
        {token === null ? t('driver.lockedNone') : <Use token={token} />}
      </Text>
      {secret !== null && <NewToken token={secret} onDone={done} />}
      <Group gap="sm">
        <Button variant="default" leftSection={<IconDeviceMobile size={18} aria-hidden />} loading={make.isPending} onClick={() => void makeAnother()}>
          {t(token === null ? 'driver.lockedMake' : 'driver.lockedMakeAnother')}
        </Button>
        {token !== null && (
          <Button variant="subtle" color="red" loading={revoke.isPending} onClick={() => void askRevoke()}>
            {t('driver.lockedRevoke')}
          </Button>
        )}
      </Group>
    </>
  )
}

/** The times of a token, and the effect of the last place that came with it. */
function Use({ token: { madeAt, usedAt, outcome } }: { token: PhoneToken }) {
  const t = useTexts()
  const parts = [t('driver.lockedMade', { date: dateTimeText(madeAt) })]
  parts.push(usedAt == null ? t('driver.lockedUnused') : t('driver.lockedUsed', { ago: agoText(usedAt) }))
  if (outcome != null) parts.push(t(outcomes[outcome]))
  return parts.join(' ')
}
