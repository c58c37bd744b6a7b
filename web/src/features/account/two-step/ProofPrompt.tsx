import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'

import { confirm } from '@/api/generated/sdk.gen'
import { isProblem, messageOf } from '@/api/problem'
import { PasswordField } from '@/features/account/PasswordField'
import { registerProofPrompt } from '@/lib/proof'
import { session } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { Failure, Loading } from '@/ui/states'
import { FormError } from '@/ui/FormError'

import { CodeField } from './CodeField'
import { secondFactorQuery } from './second-factor'

/** Asks the user for a proof when a call of the page needs a recent one; the call then continues. */
export function ProofPrompt() {
  const [answer, setAnswer] = useState<((isShown: boolean) => void) | null>(null)
  useEffect(
    () =>
      registerProofPrompt(
        () =>
          new Promise((resolve) => {
            setAnswer(() => resolve)
          }),
      ),
    [],
  )
  // A page that is left asks no more.
  useEffect(() => () => answer?.(false), [answer])
  if (answer === null) return null
  const close = (isShown: boolean) => {
    answer(isShown)
    setAnswer(null)
  }
  return <ProofDialog onClose={close} />
}

function ProofDialog({ onClose }: { onClose: (isShown: boolean) => void }) {
  const t = useTexts()
  const [text, setText] = useState('')
  const { data, error, refetch } = useQuery(secondFactorQuery())
  const show = useMutation({
    mutationFn: () => confirm({ body: data?.isOn === true ? { code: text } : { password: text } }),
    onSuccess: ({ token, user }) => {
      session.start(token, user)
      onClose(true)
    },
  })
  const isWrong = isProblem(show.error) && show.error.status === 422
  const message = messageOf(show.error, t('account.unreachable'))
  const field = {
    value: text,
    error: isWrong && message,
    'data-autofocus': true,
    onChange: (event: { currentTarget: { value: string } }) => {
      setText(event.currentTarget.value)
    },
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A dialog lies within its page, and so do the forms.
    event.stopPropagation()
    show.mutate()
  }
  return (
    <Modal
      opened
      onClose={() => {
        onClose(false)
      }}
      title={t('account.proofTitle')}
      centered
      radius="lg"
      zIndex={1000}
      closeButtonProps={{ 'aria-label': t('account.close') }}
      attributes={{ header: { role: 'presentation' } }}
    >
      <form noValidate onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm">{t('account.proofLead')}</Text>
          {error !== null && <Failure message={messageOf(error, t('account.unreachable'))} retry={() => void refetch()} />}
          {error === null && data === undefined && <Loading />}
          {show.isError && !isWrong && <FormError>{message}</FormError>}
          {data?.isOn === true && <CodeField {...field} />}
          {data?.isOn === false && <PasswordField label={t('account.password')} autoComplete="current-password" {...field} />}
          <Group justify="flex-end" gap="sm">
            <Button
              variant="default"
              onClick={() => {
                onClose(false)
              }}
            >
              {t('account.leave')}
            </Button>
            <Button type="submit" loading={show.isPending} disabled={data === undefined}>
              {t('account.confirm')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
