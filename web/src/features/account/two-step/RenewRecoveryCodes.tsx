import { Button, Group, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { renewRecoveryCodes } from '@/api/generated/sdk.gen'
import { isProblem, messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { FormError } from '@/ui/FormError'

import { CodeField } from './CodeField'

interface Props {
  onDone: (recoveryCodes: string[]) => void
  onCancel: () => void
}

/** Makes new recovery codes in place of the old ones. */
export function RenewRecoveryCodes({ onDone, onCancel }: Props) {
  const t = useTexts()
  const [code, setCode] = useState('')
  const renew = useMutation({
    mutationFn: () => renewRecoveryCodes({ body: { code } }),
    onSuccess: ({ recoveryCodes }) => {
      onDone(recoveryCodes)
    },
  })
  const isWrong = isProblem(renew.error) && renew.error.status === 422
  const message = messageOf(renew.error, t('account.unreachable'))
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        renew.mutate()
      }}
    >
      <Stack gap="sm">
        {renew.isError && !isWrong && <FormError>{message}</FormError>}
        <CodeField
          value={code}
          error={isWrong && message}
          onChange={(event) => {
            setCode(event.currentTarget.value)
          }}
        />
        <Group gap="sm">
          <Button type="submit" loading={renew.isPending}>
            {t('account.newCodes')}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t('account.leave')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
