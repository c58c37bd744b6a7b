import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { overviewQuery } from '@/api/operator'
import { type TextId, useTexts } from '@/lib/texts'

import type { EventAddress } from './event-address'
import { type Fault, type FilterName, fromField, toField } from './event-filter'
import classes from './events.module.css'
import { streamsOf } from './streams'

/** The delay between the last key and the search, in milliseconds. */
const DEBOUNCE = 300

const FAULTS: Record<Fault, TextId> = {
  id: 'operator.notAnId',
  time: 'operator.notATime',
  sequences: 'operator.notSequences',
  backwards: 'operator.windowBackwards',
  noOrder: 'operator.noSuchOrder',
  noAccount: 'operator.noSuchAccount',
}

/** The id of the suggested types. */
const TYPES = 'event-types'

const FIELDS: { name: FilterName; label: TextId; placeholder?: string }[] = [
  { name: 'type', label: 'operator.type', placeholder: 'order.placed' },
  { name: 'aggregate', label: 'operator.aggregate', placeholder: 'ORD-7K3M9QX2' },
  { name: 'correlation', label: 'operator.correlation', placeholder: 'ORD-7K3M9QX2' },
  { name: 'actor', label: 'operator.actor', placeholder: 'tiffin/order' },
  { name: 'seq', label: 'operator.atSequence', placeholder: '12-40' },
]

interface Props {
  address: EventAddress
  faults: Partial<Record<FilterName, Fault>>
  /** The types to suggest. */
  types: string[]
}

/** The filters of the events. */
export function EventFilters({ address, faults, types }: Props) {
  const t = useTexts()
  const { filter, narrow, clear } = address
  const search = useRef<HTMLInputElement>(null)
  const { data } = useQuery(overviewQuery())
  useHotkeys([['mod+K', () => search.current?.focus()]], [])
  const error = (name: FilterName) => {
    const fault = faults[name]
    return fault === undefined ? undefined : t(FAULTS[fault])
  }
  const time = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="datetime-local"
      step={1}
      size="xs"
      label={label}
      value={toField(filter[name])}
      error={error(name)}
      onChange={(event) => {
        narrow(name, fromField(event.currentTarget.value))
      }}
    />
  )
  return (
    <search className={classes.filters} aria-label={t('operator.filters')}>
      <DebouncedInput
        ref={search}
        label={t('operator.text')}
        title={t('operator.textShortcut')}
        value={filter.q}
        onType={(value) => {
          narrow('q', value)
        }}
        icon
      />
      <NativeSelect
        size="xs"
        label={t('operator.stream')}
        value={filter.stream}
        data={[{ value: '', label: t('operator.allStreams') }, ...streamsOf(data, filter.stream)]}
        onChange={(event) => {
          narrow('stream', event.currentTarget.value)
        }}
      />
      {FIELDS.map(({ name, label, placeholder }) => (
        <DebouncedInput
          key={name}
          label={t(label)}
          value={filter[name]}
          placeholder={placeholder}
          error={error(name)}
          list={name === 'type' ? TYPES : undefined}
          onType={(value) => {
            narrow(name, value)
          }}
        />
      ))}
      <datalist id={TYPES}>
        {types.map((type) => (
          <option key={type} value={type.replace(/^tiffin\.|\.v\d+$/g, '')} />
        ))}
      </datalist>
      {time('from', t('operator.from'))}
      {time('to', t('operator.to'))}
      <Button size="xs" variant="subtle" onClick={clear} disabled={Object.values(filter).every((value) => value === '')}>
        {t('operator.clearFilters')}
      </Button>
    </search>
  )
}

interface DebouncedInputProps {
  label: string
  value: string
  onType: (value: string) => void
  placeholder?: string | undefined
  error?: string | undefined
  list?: string | undefined
  title?: string
  icon?: boolean
  ref?: React.Ref<HTMLInputElement>
}

function DebouncedInput({ value, onType, icon = false, ...rest }: DebouncedInputProps) {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  // A link may have changed the address; what is typed meanwhile stays.
  if (value !== known) {
    setKnown(value)
    if (value !== typed.trim()) setTyped(value)
  }
  const onTypeDebounced = useDebouncedCallback(onType, DEBOUNCE)
  return (
    <TextInput
      {...rest}
      size="xs"
      type={icon ? 'search' : 'text'}
      leftSection={icon ? <IconSearch size={14} aria-hidden="true" /> : undefined}
      value={typed}
      maxLength={100}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        onTypeDebounced(event.currentTarget.value.trim())
      }}
    />
  )
}
