import { Textarea } from '@mantine/core'
import { useState } from 'react'

import type { DeadLetterView } from '@/api/generated/types.gen'
import { editDeadLetter, revealEvent } from '@/api/operator'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

import { isMasked, nameOf, readEvent } from './envelope'
import { type JsonFault, readPayload } from './json-text'
import classes from './dead-letters.module.css'
import { KEEP_OPEN, ReasonDialog } from './ReasonDialog'
import { readChanges } from './row-diff'
import { RowChanges } from './RowChanges'

interface Props {
  deadLetter: DeadLetterView
  onClose: () => void
}

/** Corrects an event that can't be handled: a new one replaces it and names it as its cause. */
export function EditDialog({ deadLetter, onClose }: Props) {
  const t = useTexts()
  const event = readEvent(deadLetter.event)
  const [shown, show] = useState<{ data: unknown; reason: string } | null>(
    isMasked(deadLetter.event) ? null : { data: event.data, reason: '' },
  )
  if (shown !== null) return <Editor deadLetter={deadLetter} type={event.type} data={shown.data} initialReason={shown.reason} onClose={onClose} />
  return (
    <ReasonDialog
      title={t('operator.editTitle', { event: nameOf(event.type) })}
      message={t('operator.editReveal')}
      confirm={t('operator.show')}
      act={async (reason) => {
        const whole = await revealEvent({ stream: deadLetter.stream, seq: deadLetter.streamSeq }, reason)
        show({ data: readEvent(whole.event).data, reason })
        return KEEP_OPEN
      }}
      onClose={onClose}
    />
  )
}

interface EditorProps extends Props {
  type: string
  data: unknown
  initialReason: string
}

function Editor({ deadLetter, type, data, initialReason, onClose }: EditorProps) {
  const t = useTexts()
  const [text, setText] = useState(() => JSON.stringify(data ?? {}, null, 2))
  const [isTried, setTried] = useState(false)
  const read = readPayload(text)
  const words = (fault: JsonFault) => {
    if (fault.kind === 'not an object') return t('operator.jsonNotObject')
    if (fault.kind === 'masked') return t('operator.jsonMasked')
    const { message, line, column } = fault
    return t('operator.jsonBroken', { what: message, line, column })
  }
  const changes = read.data === null ? [] : readChanges([{ table: type, before: data, after: read.data }])
  const isChanged = changes.some(({ fields }) => fields.length > 0)
  return (
    <ReasonDialog
      isWide
      title={t('operator.editTitle', { event: nameOf(type) })}
      message={t('operator.editMessage', { type })}
      confirm={t('operator.editPublish')}
      initialReason={initialReason}
      field="data"
      check={() => {
        setTried(true)
        return read.fault === null
      }}
      act={async (reason) => {
        if (read.data === null) return
        toast.success((await editDeadLetter(deadLetter.seq, reason, read.data)).message)
      }}
      onClose={onClose}
    >
      {(refused) => (
        <>
          <Textarea
            label={t('operator.payload')}
            classNames={{ input: classes.editor ?? '' }}
            value={text}
            autosize
            minRows={8}
            maxRows={20}
            spellCheck={false}
            error={read.fault === null ? refused : (isTried || read.fault.kind === 'broken') && words(read.fault)}
            onChange={(event) => {
              setText(event.currentTarget.value)
            }}
          />
          <div role="status">{isChanged ? <RowChanges changes={changes} /> : <p className={classes.quiet}>{t('operator.unchanged')}</p>}</div>
        </>
      )}
    </ReasonDialog>
  )
}
