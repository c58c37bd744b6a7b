import { NativeSelect, TextInput } from '@mantine/core'

import { useTexts } from '@/lib/texts'

import { fromField, toField } from './event-filter'
import type { BoundDraft } from './replay-request'
import classes from './operations.module.css'

interface Props {
  label: string
  /** The label of the default: the stream's own end. */
  end: string
  bound: BoundDraft
  onChange: (bound: BoundDraft) => void
  error: string | undefined
}

const KINDS: BoundDraft['kind'][] = ['end', 'sequence', 'time']

/** The begin or end of a window. */
export function BoundField({ label, end, bound: { kind, value }, onChange, error }: Props) {
  const t = useTexts()
  const names = { end, sequence: t('operator.atSequence'), time: t('operator.atTime') }
  return (
    <div className={classes.bound}>
      <NativeSelect
        label={label}
        value={kind}
        data={KINDS.map((one) => ({ value: one, label: names[one] }))}
        error={kind === 'end' && error}
        onChange={(event) => {
          onChange({ kind: KINDS.find((one) => one === event.currentTarget.value) ?? 'end', value: '' })
        }}
      />
      {kind === 'sequence' && (
        <TextInput
          aria-label={`${label}: ${names.sequence}`}
          inputMode="numeric"
          value={value}
          maxLength={15}
          error={error}
          onChange={(event) => {
            onChange({ kind, value: event.currentTarget.value.trim() })
          }}
        />
      )}
      {kind === 'time' && (
        <TextInput
          type="datetime-local"
          step={1}
          aria-label={`${label}: ${names.time}`}
          value={toField(value)}
          error={error}
          onChange={(event) => {
            onChange({ kind, value: fromField(event.currentTarget.value) })
          }}
        />
      )}
    </div>
  )
}
