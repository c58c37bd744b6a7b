import { Button, Center, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { restaurantPagesQuery } from '@/api/catalogue'
import { fetchNext } from '@/api/pages'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Empty, Failure } from '@/ui/states'

import { openIds } from './CustomerTime'
import { RestaurantCard, RestaurantSkeleton } from './RestaurantCard'
import { useSearch } from './use-search'
import { SearchBar } from './SearchBar'
import cards from './cards.module.css'

/** All restaurants, to search in. */
export function RestaurantsPage() {
  const t = useTexts()
  const search = useSearch()
  const restaurants = useInfiniteQuery(restaurantPagesQuery(search.query))
  const shown = useMemo(() => restaurants.data?.pages.flatMap((page) => page.rows) ?? [], [restaurants.data])
  const among = useMemo(() => openIds(shown), [shown])
  const narrowed = Object.values(search.query).some((value) => value !== '')

  return (
    <Page title={t('catalogue.restaurants')} lead={t('catalogue.restaurantsLead')}>
      <SearchBar search={search} label={t('catalogue.findRestaurant')} />
      {restaurants.isError && (
        <Failure message={messageOf(restaurants.error, t('app.anError'))} retry={() => void restaurants.refetch()} />
      )}
      {restaurants.isSuccess && shown.length === 0 && (
        <Empty text={narrowed ? t('catalogue.noRestaurantFits') : t('catalogue.noRestaurants')} art="empty-list">
          {narrowed && (
            <Button variant="light" onClick={search.clear}>
              {t('catalogue.clearFilters')}
            </Button>
          )}
        </Empty>
      )}
      <VisuallyHidden role="status">
        {restaurants.isSuccess && t('catalogue.restaurantsFound', { count: shown.length })}
      </VisuallyHidden>
      <div
        className={cards.restaurants}
        aria-busy={restaurants.isPending || restaurants.isPlaceholderData}
      >
        {restaurants.isPending
          ? [1, 2, 3, 4, 5, 6].map((slot) => <RestaurantSkeleton key={slot} />)
          : shown.map((restaurant, at) => (
              <RestaurantCard key={restaurant._id} restaurant={restaurant} eager={at < 3} among={among} />
            ))}
      </div>
      {restaurants.hasNextPage && (
        <Center>
          <Button
            variant="default"
            loading={restaurants.isFetchingNextPage}
            onClick={() => void fetchNext(restaurants)}
          >
            {t('catalogue.showMore')}
          </Button>
        </Center>
      )}
    </Page>
  )
}
