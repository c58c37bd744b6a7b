import { NativeSelect, TextInput } from '@mantine/core'

import { useTexts } from '@/lib/texts'

import { fromField, toField } from './event-filter'
import type { Edge } from './replay-request'
import classes from './runs.module.css'

interface Props {
  label: string
  /** Its default label. */
  end: string
  edge: Edge
  onChange: (edge: Edge) => void
  error: string | undefined
}

const KINDS: Edge['kind'][] = ['end', 'place', 'time']

/** The begin or end of a window. */
export function BoundField({ label, end, edge: { kind, value }, onChange, error }: Props) {
  const t = useTexts()
  const names = { end, place: t('operator.atPlace'), time: t('operator.atTime') }
  return (
    <div className={classes.edge}>
      <NativeSelect
        label={label}
        value={kind}
        data={KINDS.map((one) => ({ value: one, label: names[one] }))}
        error={kind === 'end' && error}
        onChange={(event) => {
          onChange({ kind: KINDS.find((one) => one === event.currentTarget.value) ?? 'end', value: '' })
        }}
      />
      {kind === 'place' && (
        <TextInput
          aria-label={`${label}: ${names.place}`}
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
