import { Anchor, Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { beginSecondFactor, turnOnSecondFactor } from '@/api/generated/sdk.gen'
import { isProblem, messageOf } from '@/api/problem'
import { session } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { Failure } from '@/ui/states'
import { FormError } from '@/ui/FormError'

import { CodeField } from './CodeField'
import classes from './two-step.module.css'

interface Props {
  onDone: (recoveryCodes: string[]) => void
  /** Left out where there is no way back. */
  onCancel?: () => void
}

/** Gives the authenticator app its secret, and takes its first code. */
export function SetUpTwoStep({ onDone, onCancel }: Props) {
  const t = useTexts()
  const [code, setCode] = useState('')
  const [isMissing, setMissing] = useState(false)
  const setup = useQuery({
    queryKey: ['second-factor', 'set-up'],
    // Each asking makes another secret: once is enough.
    queryFn: () => beginSecondFactor(),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const turnOn = useMutation({
    mutationFn: () => turnOnSecondFactor({ body: { code } }),
    onSuccess: ({ token, user, recoveryCodes }) => {
      session.start(token, user)
      onDone(recoveryCodes)
    },
  })
  if (setup.error !== null) return <Failure message={messageOf(setup.error, t('account.unreachable'))} retry={() => void setup.refetch()} />
  if (setup.data === undefined) return <Loader size="sm" />
  const { address, secret, qr } = setup.data
  const isWrong = isProblem(turnOn.error) && turnOn.error.status === 422
  const message = messageOf(turnOn.error, t('account.unreachable'))
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setMissing(code.trim() === '')
        if (code.trim() !== '') turnOn.mutate()
      }}
    >
      <Stack gap="sm">
        <Text size="sm">{t('account.scanLead')}</Text>
        <svg className={classes.qr} viewBox={`0 0 ${String(qr.size)} ${String(qr.size)}`} role="img" aria-label={t('account.qrCode')} shapeRendering="crispEdges">
          <path d={qr.path} />
        </svg>
        <Text size="sm">
          {t('account.secretLead')} <span className={classes.secret}>{secret}</span>
        </Text>
        <Anchor href={address} size="sm">
          {t('account.openApp')}
        </Anchor>
        {turnOn.isError && !isWrong && <FormError>{message}</FormError>}
        <CodeField
          takesRecovery={false}
          value={code}
          error={isMissing ? t('account.codeRequired') : isWrong && message}
          onChange={(event) => {
            setCode(event.currentTarget.value)
          }}
        />
        <Group gap="sm">
          <Button type="submit" loading={turnOn.isPending}>
            {t('account.turnOn')}
          </Button>
          {onCancel !== undefined && (
            <Button variant="default" onClick={onCancel}>
              {t('account.leave')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
