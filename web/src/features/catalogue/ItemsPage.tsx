import { Button, Center, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { memo, useDeferredValue } from 'react'

import { itemPagesQuery, restaurantsQuery } from '@/api/catalogue'
import type { Item, Restaurant } from '@/api/generated/types.gen'
import { fetchNext } from '@/api/pages'
import { messageOf } from '@/api/problem'
import { useAfterFirstRender } from '@/lib/render-timing'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Empty, Failure } from '@/ui/states'

import { DishCard, DishSkeleton } from './DishCard'
import { useSearch } from './use-search'
import { SearchBar } from './SearchBar'
import cards from './cards.module.css'

const SKELETONS = [1, 2, 3, 4, 5, 6, 7, 8]
/** Cards of the first screen. */
const FIRST = 8

interface CardsProps {
  pages: { rows: Item[] }[]
  restaurants: Restaurant[] | undefined
}

const Cards = memo(({ pages, restaurants }: CardsProps) => {
  const byId = new Map(restaurants?.map((restaurant) => [restaurant._id, restaurant]))
  const showRest = useAfterFirstRender()
  return pages
    .flatMap(({ rows }) => rows)
    .slice(0, showRest ? undefined : FIRST)
    .map((item, at) => <DishCard key={item._id} item={item} restaurant={byId.get(item.restaurantId)} eager={at < 4} />)
})
Cards.displayName = 'Cards'

/** The searchable menu of all restaurants. */
export function ItemsPage() {
  const t = useTexts()
  const search = useSearch()
  const items = useInfiniteQuery(itemPagesQuery(search.query))
  const restaurants = useQuery(restaurantsQuery())
  const count = items.data?.pages.reduce((sum, page) => sum + page.rows.length, 0) ?? 0
  // Many cards are drawn in small pieces, between which the browser can answer a key.
  const drawn = useDeferredValue(items.data?.pages)
  const drawnRestaurants = useDeferredValue(restaurants.data)

  return (
    <Page title={t('catalogue.items')} lead={t('catalogue.itemsLead')}>
      <SearchBar search={search} label={t('catalogue.searchItems')} />
      {items.isError && (
        <Failure message={messageOf(items.error, t('app.anError'))} retry={() => void items.refetch()} />
      )}
      {items.isSuccess && count === 0 && (
        <Empty text={t('catalogue.noItems')} art="nothing-found" hint={t('catalogue.noItemsHint')}>
          <Button variant="light" onClick={search.clear}>
            {t('catalogue.clearFilters')}
          </Button>
        </Empty>
      )}
      <VisuallyHidden role="status">
        {items.isSuccess && t('catalogue.itemsFound', { count })}
      </VisuallyHidden>
      <div className={cards.dishes} aria-busy={items.isPending || items.isPlaceholderData}>
        {drawn === undefined
          ? !items.isError && SKELETONS.map((slot) => <DishSkeleton key={slot} />)
          : <Cards pages={drawn} restaurants={drawnRestaurants} />}
      </div>
      {items.hasNextPage && (
        <Center>
          <Button variant="default" loading={items.isFetchingNextPage} onClick={() => void fetchNext(items)}>
            {t('catalogue.showMore')}
          </Button>
        </Center>
      )}
    </Page>
  )
}
