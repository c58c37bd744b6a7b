import { Chip, Group, NativeSelect, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'

import { useTexts } from '@/lib/texts'

import { categories, categoryLabel } from './categories'
import classes from './SearchBar.module.css'
import type { useSearch } from './use-search'

interface Props {
  search: ReturnType<typeof useSearch>
  label: string
}

/** Words, category and order of a list. */
export function SearchBar({ search, label }: Props) {
  const t = useTexts()
  return (
    <div role="search" aria-label={label} className={classes.bar}>
      <TextInput
        type="search"
        size="md"
        radius="xl"
        className={classes.searchField ?? ''}
        aria-label={label}
        placeholder={label}
        maxLength={100}
        leftSection={<IconSearch size={18} aria-hidden />}
        value={search.q}
        onChange={(event) => {
          search.set('q', event.currentTarget.value)
        }}
      />
      <NativeSelect
        size="md"
        radius="xl"
        aria-label={t('catalogue.sortBy')}
        value={search.sort}
        onChange={(event) => {
          search.set('sort', event.currentTarget.value)
        }}
        data={[
          { value: '', label: t('catalogue.sortBest') },
          { value: 'rating', label: t('catalogue.sortRating') },
          { value: 'price', label: t('catalogue.sortCheapest') },
          { value: 'newest', label: t('catalogue.sortNewest') },
          { value: 'name', label: t('catalogue.sortName') },
        ]}
      />
      <Chip.Group
        value={search.category}
        onChange={(value) => {
          if (typeof value === 'string') search.set('category', value)
        }}
      >
        <Group gap="xs" role="group" aria-label={t('catalogue.categories')} className={classes.categories ?? ''}>
          <Chip value="">{t('catalogue.allCategories')}</Chip>
          {categories.map((value) => (
            <Chip key={value} value={value}>
              {categoryLabel(value)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </div>
  )
}
