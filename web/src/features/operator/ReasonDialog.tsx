import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'

import { isProblem, messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { Failure } from '@/ui/states'

interface Props {
  title: string
  message: string
  /** What the button says that does it. */
  confirm: string
  isGrave?: boolean
  /** Above the reason: what it is about, or what else has to be said. */
  children?: ReactNode
  /** Whether what stands above the reason is complete; what is missing is said there. */
  check?: () => boolean
  act: (reason: string) => Promise<unknown>
  onClose: () => void
}

/** Asks why something is done, and does it. What is refused is said here, and the dialog stays. */
export function ReasonDialog({ title, message, confirm, isGrave = false, children, check, act, onClose }: Props) {
  const t = useTexts()
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const acting = useMutation({ mutationFn: act, onSuccess: onClose })
  const refused = isProblem(acting.error) ? acting.error.fields.reason : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A dialog lies within its page, and so do the forms.
    event.stopPropagation()
    const isComplete = check?.() ?? true
    setMissing(reason.trim() === '')
    if (isComplete && reason.trim() !== '') acting.mutate(reason.trim())
  }
  return (
    <Modal opened onClose={onClose} title={title} centered radius="lg" closeButtonProps={{ 'aria-label': t('operator.close') }}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm">{message}</Text>
          {children}
          <Textarea
            label={t('operator.reason')}
            description={t('operator.reasonHint')}
            value={reason}
            maxLength={500}
            autosize
            minRows={2}
            data-autofocus
            error={refused ?? (isMissing && t('operator.reasonNeeded'))}
            onChange={(event) => {
              setReason(event.currentTarget.value)
            }}
          />
          {acting.error !== null && refused === undefined && <Failure message={messageOf(acting.error, t('operator.actFailed'))} />}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {t('operator.leave')}
            </Button>
            <Button type="submit" color={isGrave ? 'red' : 'ember'} loading={acting.isPending}>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
