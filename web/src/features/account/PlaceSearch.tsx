import { Button, Group, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { type Found, placesCalled } from '@/api/geocode'
import { useTexts } from '@/lib/texts'

import classes from './account.module.css'

/** Finds a place by its address or name. */
export function PlaceSearch({ onFound }: { onFound: (found: Found) => void }) {
  const t = useTexts()
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  const { data, isFetching, isError } = useQuery({
    queryKey: ['places', asked],
    queryFn: ({ signal }) => placesCalled(asked, signal),
    enabled: asked !== '',
  })
  return (
    <search className={classes.placeForm}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setAsked(typed.trim())
        }}
      >
        <Group gap="sm" align="end" wrap="nowrap">
          <TextInput
            type="search"
            label={t('account.searchPlace')}
            className={classes.what ?? ''}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value)
            }}
          />
          <Button type="submit" variant="light" loading={isFetching} leftSection={<IconSearch size={16} aria-hidden />}>
            {t('account.search')}
          </Button>
        </Group>
      </form>
      <div role="status">
        {isError && <Text size="sm">{t('account.locationDetailsFailed')}</Text>}
        {data?.length === 0 && <Text size="sm">{t('account.searchEmpty')}</Text>}
      </div>
      {data !== undefined && data.length > 0 && (
        <ul className={classes.list} aria-label={t('account.searchResults')}>
          {data.map((found) => (
            <li key={`${found.lat} ${found.lng} ${found.address}`}>
              <UnstyledButton
                className={classes.found ?? ''}
                onClick={() => {
                  setAsked('')
                  onFound(found)
                }}
              >
                {found.address}
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
    </search>
  )
}
