import { Button, Group, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import type { Coordinates } from '@/lib/geolocation'
import { useTexts } from '@/lib/texts'

import classes from './account.module.css'

/** Finds a street or a part of town by its name, and takes the pin there. */
export function PlaceSearch({ onFound }: { onFound: (place: Coordinates) => void }) {
  const t = useTexts()
  const [typed, setTyped] = useState('')
  // The map's data comes with the map.
  const search = useMutation({
    mutationFn: async (name: string) => (await import('@/ui/map/city-places')).findPlaces(name),
  })
  return (
    <search className={classes.placeForm}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          search.mutate(typed)
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
          <Button type="submit" variant="light" flex="none" loading={search.isPending} leftSection={<IconSearch size={16} aria-hidden />}>
            {t('account.search')}
          </Button>
        </Group>
      </form>
      <div role="status">
        {search.isError && <Text size="sm">{t('account.locationDetailsFailed')}</Text>}
        {search.data?.length === 0 && <Text size="sm">{t('account.searchEmpty')}</Text>}
      </div>
      {search.data !== undefined && search.data.length > 0 && (
        <ul className={classes.list} aria-label={t('account.searchResults')}>
          {search.data.map((found) => (
            <li key={found.name}>
              <UnstyledButton
                className={classes.found ?? ''}
                onClick={() => {
                  search.reset()
                  onFound({ lat: found.lat, lng: found.lng })
                }}
              >
                {found.name}
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
    </search>
  )
}
