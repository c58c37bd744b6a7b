import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { turnOffSecondFactor } from '@/api/generated/sdk.gen'
import { faultOf, isProblem, messageOf } from '@/api/problem'
import { PasswordField } from '@/features/account/PasswordField'
import { session } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { FormError } from '@/ui/FormError'
import { toast } from '@/ui/toast'

import { CodeField } from './CodeField'

/** Turns two-step sign-in off, with the password and a code. */
export function TurnOffTwoStep({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const t = useTexts()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const turnOff = useMutation({
    mutationFn: () => turnOffSecondFactor({ body: { code, ...(password === '' ? {} : { password }) } }),
    onSuccess: ({ token, user }) => {
      session.start(token, user)
      toast.success(t('account.twoStepTurnedOff'))
      onDone()
    },
  })
  const fields = isProblem(turnOff.error) ? turnOff.error.fields : {}
  const fieldError = (field: string) => faultOf(turnOff.error, field)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        turnOff.mutate()
      }}
    >
      <Stack gap="sm">
        <Text size="sm">{t('account.turnOffLead')}</Text>
        {turnOff.isError && Object.keys(fields).length === 0 && <FormError>{messageOf(turnOff.error, t('account.unreachable'))}</FormError>}
        <PasswordField
          label={t('account.password')}
          autoComplete="current-password"
          value={password}
          error={fieldError('password')}
          onChange={(event) => {
            setPassword(event.currentTarget.value)
          }}
        />
        <CodeField
          value={code}
          error={fieldError('code')}
          onChange={(event) => {
            setCode(event.currentTarget.value)
          }}
        />
        <Group gap="sm">
          <Button type="submit" color="red.9" loading={turnOff.isPending}>
            {t('account.turnOff')}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t('account.leave')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
