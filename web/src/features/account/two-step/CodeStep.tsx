import { Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { secondStep } from '@/api/generated/sdk.gen'
import { isProblem, messageOf } from '@/api/problem'
import { FormCard } from '@/features/account/FormCard'
import type { SessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { FormError } from '@/ui/FormError'

import { CodeField } from './CodeField'

interface Props {
  challenge: string
  onSignedIn: (answer: { token: string; user: SessionUser }) => Promise<void>
  /** Back to the password. */
  onBack: () => void
}

/** The second step of a sign-in. */
export function CodeStep({ challenge, onSignedIn, onBack }: Props) {
  const t = useTexts()
  const [code, setCode] = useState('')
  const [isMissing, setMissing] = useState(false)
  const step = useMutation({
    mutationFn: () => secondStep({ body: { challenge, code } }),
    onSuccess: onSignedIn,
  })
  const isWrong = isProblem(step.error) && step.error.status === 422
  const message = messageOf(step.error, t('account.unreachable'))
  return (
    <FormCard title={t('account.twoStepTitle')} lead={t('account.codeStepLead')}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setMissing(code.trim() === '')
          if (code.trim() !== '') step.mutate()
        }}
      >
        <Stack gap="md">
          {step.isError && !isWrong && <FormError>{message}</FormError>}
          <CodeField
            size="md"
            data-autofocus
            autoFocus
            value={code}
            error={isMissing ? t('account.codeRequired') : isWrong && message}
            onChange={(event) => {
              setCode(event.currentTarget.value)
            }}
          />
          <Button type="submit" size="md" loading={step.isPending}>
            {t('account.login')}
          </Button>
          <Button variant="subtle" onClick={onBack}>
            {t('account.backToPassword')}
          </Button>
        </Stack>
      </form>
    </FormCard>
  )
}
