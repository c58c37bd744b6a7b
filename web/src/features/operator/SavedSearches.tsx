import { ActionIcon, Anchor, Button, Group, Popover, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'

import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'

import type { EventFilter } from './event-filter'
import classes from './events.module.css'
import { useSavedSearches } from './saved-searches'

/** The reader's saved searches, and a way to save the one that is shown. */
export function SavedSearches({ filter }: { filter: EventFilter }) {
  const t = useTexts()
  const { searches, save, forget } = useSavedSearches()
  const [isNaming, setNaming] = useState(false)
  const [name, setName] = useState('')
  const query = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return
    save({ name: name.trim(), query })
    setName('')
    setNaming(false)
  }
  return (
    <Group gap="xs">
      {searches.length > 0 && (
        <ul className={classes.saved} aria-label={t('operator.savedSearches')}>
          {searches.map((one) => (
            <li key={one.name}>
              <Anchor component={Link} to={paths.operator.events(one.query)} size="sm">
                {one.name}
              </Anchor>
              <ActionIcon
                size={24}
                variant="subtle"
                color="gray"
                aria-label={t('operator.forgetSearch', { name: one.name })}
                onClick={() => {
                  forget(one.name)
                }}
              >
                <IconX size={14} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <Popover opened={isNaming} onChange={setNaming} position="bottom-start" trapFocus returnFocus withinPortal={false}>
        <Popover.Target>
          <Button
            size="compact-sm"
            variant="subtle"
            disabled={Object.keys(query).length === 0}
            onClick={() => {
              setNaming(!isNaming)
            }}
          >
            {t('operator.saveSearch')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('operator.saveSearch')}>
          <form onSubmit={submit}>
            <Group gap="xs" align="end" wrap="nowrap">
              <TextInput
                size="xs"
                label={t('operator.searchName')}
                value={name}
                maxLength={60}
                data-autofocus
                onChange={(event) => {
                  setName(event.currentTarget.value)
                }}
              />
              <Button type="submit" size="xs" disabled={name.trim() === ''}>
                {t('operator.save')}
              </Button>
            </Group>
          </form>
        </Popover.Dropdown>
      </Popover>
    </Group>
  )
}
