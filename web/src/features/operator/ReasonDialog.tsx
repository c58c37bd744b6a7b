import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'

import { isProblem, messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { Failure } from '@/ui/states'

import { Dialog } from './Dialog'
import { ReasonField } from './ReasonField'

/** The answer of an `act` that replaces the dialog's content. */
export const KEEP_OPEN = 'goes on'

interface Props {
  title: string
  message: string
  /** The label of the button. */
  confirm: string
  isGrave?: boolean
  /** The explanation above the reason. */
  children?: ReactNode | ((refused: string | undefined) => ReactNode)
  /** The field above the reason; `children` gets its refusal. */
  field?: string
  /** True if the part above the reason is complete; a fault is shown there. */
  check?: () => boolean
  /** The previous reason, if there was one. */
  initialReason?: string
  /** Wide enough for code. */
  isWide?: boolean
  act: (reason: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for a reason, then acts. The dialog shows a refusal and stays open. */
export function ReasonDialog({ title, message, confirm, isGrave = false, children, field, check, initialReason = '', isWide = false, act, onClose }: Props) {
  const t = useTexts()
  const [reason, setReason] = useState(initialReason)
  const [isMissing, setMissing] = useState(false)
  const acting = useMutation({
    mutationFn: act,
    onSuccess: (goesOn) => {
      if (goesOn !== KEEP_OPEN) onClose()
    },
  })
  const fields = isProblem(acting.error) ? acting.error.fields : {}
  const refused = fields.reason
  const refusedAbove = field === undefined ? undefined : fields[field]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A dialog lies within its page, and so do the forms.
    event.stopPropagation()
    const isComplete = check?.() ?? true
    setMissing(reason.trim() === '')
    if (isComplete && reason.trim() !== '') acting.mutate(reason.trim())
  }
  return (
    <Dialog title={title} size={isWide ? 'xl' : 'md'} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm">{message}</Text>
          {typeof children === 'function' ? children(refusedAbove) : children}
          <ReasonField value={reason} onChange={setReason} error={refused ?? (isMissing && t('operator.reasonNeeded'))} isFirst />
          {acting.error !== null && refused === undefined && refusedAbove === undefined && <Failure message={messageOf(acting.error, t('operator.actFailed'))} />}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {t('operator.leave')}
            </Button>
            <Button type="submit" color={isGrave ? 'red.9' : 'ember'} loading={acting.isPending}>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
