import { Textarea, type TextareaProps } from '@mantine/core'

import { useTexts } from '@/lib/texts'

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
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        event.currentTarget.form?.requestSubmit()
      }}
      onChange={(event) => {
        onChange(event.currentTarget.value)
      }}
    />
  )
}
