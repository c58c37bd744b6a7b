import { Chip, Group, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'

import { itemsQuery, restaurantsQuery } from '@/api/catalogue'
import type { Item } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'
import { Page } from '@/ui/Page'
import { Empty, Failure } from '@/ui/states'

import { categories } from './categories'
import { DishCard, DishSkeleton } from './DishCard'

const SKELETONS = [1, 2, 3, 4, 5, 6, 7, 8]

function matches(item: Item, category: string, q: string): boolean {
  if (category !== '' && item.category.toLowerCase() !== category) return false
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const text = `${item.name} ${item.description}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

/** The searchable menu of all restaurants; filter and search live in the URL. */
export function ItemsPage() {
  const [params, setParams] = useSearchParams()
  const category = params.get('category') ?? ''
  const q = params.get('q') ?? ''
  const { data, error, isPending, refetch } = useQuery(itemsQuery())
  const restaurants = useQuery(restaurantsQuery())
  const byId = new Map(restaurants.data?.map((restaurant) => [restaurant._id, restaurant]))
  const shown = data?.filter((item) => matches(item, category, q)) ?? []

  const set = (name: string, value: string) => {
    setParams(
      (before) => {
        if (value === '') before.delete(name)
        else before.set(name, value)
        return before
      },
      { replace: true, preventScrollReset: true },
    )
  }

  return (
    <Page title="Items" lead="Everything that can be cooked for you.">
      <Stack gap="sm">
        <TextInput
          type="search"
          size="md"
          radius="xl"
          maw={520}
          aria-label="Search items"
          placeholder="Search items"
          leftSection={<IconSearch size={18} />}
          value={q}
          onChange={(event) => {
            set('q', event.currentTarget.value)
          }}
        />
        <Chip.Group
          value={category}
          onChange={(value) => {
            if (typeof value === 'string') set('category', value)
          }}
        >
          <Group gap="xs" role="group" aria-label="Categories">
            <Chip value="">All</Chip>
            {categories.map(({ value, label }) => (
              <Chip key={value} value={value}>
                {label}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </Stack>
      {error !== null && <Failure message={messageOf(error, 'An error occurred')} retry={() => void refetch()} />}
      {data !== undefined && shown.length === 0 && (
        <Empty text="No items found." art="nothing-found" hint="Another word or category may find more." />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3, md: 4 }} aria-busy={isPending}>
        {isPending
          ? SKELETONS.map((slot) => <DishSkeleton key={slot} />)
          : shown.map((item, at) => (
              <DishCard key={item._id} item={item} restaurant={byId.get(item.restaurantId)} eager={at < 4} />
            ))}
      </SimpleGrid>
    </Page>
  )
}
