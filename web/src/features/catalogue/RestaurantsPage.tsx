import { SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { restaurantsQuery } from '@/api/catalogue'
import { messageOf } from '@/api/problem'
import { Page } from '@/ui/Page'
import { Empty, Failure } from '@/ui/states'

import { RestaurantCard, RestaurantSkeleton } from './RestaurantCard'

export function RestaurantsPage() {
  const { data, error, isPending, refetch } = useQuery(restaurantsQuery())
  return (
    <Page title="Restaurants" lead="Kitchens that cook for you today.">
      {error !== null && <Failure message={messageOf(error, 'An error occurred')} retry={() => void refetch()} />}
      {data?.length === 0 && <Empty text="No restaurants yet." art="empty-list" />}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} aria-busy={isPending}>
        {isPending
          ? [1, 2, 3, 4, 5, 6].map((slot) => <RestaurantSkeleton key={slot} />)
          : data?.map((restaurant, at) => (
              <RestaurantCard key={restaurant._id} restaurant={restaurant} eager={at < 6} />
            ))}
      </SimpleGrid>
    </Page>
  )
}
