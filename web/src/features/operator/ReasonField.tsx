import { Textarea, type TextareaProps } from '@mantine/core'

import { useTexts } from '@/lib/texts'
import { submitByKeyboard } from '@/ui/submit-by-keyboard'

interface Props extends Pick<TextareaProps, 'className' | 'minRows' | 'error'> {
  value: string
  onChange: (reason: string) => void
  /** The first field of a dialog. */
  isFirst?: boolean
}

/** The reason for an operation, which is recorded. */
export function ReasonField({ value, onChange, isFirst = false, minRows = 2, ...rest }: Props) {
  const t = useTexts()
  return (
    <Textarea
      {...rest}
      label={t('operator.reason')}
      description={t('operator.reasonHint')}
      value={value}
      maxLength={500}
      autosize
      minRows={minRows}
      data-autofocus={isFirst || undefined}
      aria-keyshortcuts="Control+Enter"
      onKeyDown={submitByKeyboard}
      onChange={(event) => {
        onChange(event.currentTarget.value)
      }}
    />
  )
}
