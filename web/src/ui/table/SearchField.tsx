import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'

/** The delay between the last key and the search, in milliseconds. */
const TYPING = 250

interface Props extends Pick<TextInputProps, 'label' | 'description' | 'className' | 'maw'> {
  q: string
  onSearch: (q: string) => void
}

/** The words that a service narrows a list by. */
export function SearchField({ q, onSearch, ...input }: Props) {
  const [typed, setTyped] = useState(q)
  const search = useDebouncedCallback(onSearch, TYPING)
  return (
    <TextInput
      {...input}
      type="search"
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      value={typed}
      maxLength={100}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        search(event.currentTarget.value.trim())
      }}
    />
  )
}
