import { Button, SimpleGrid } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { restaurantsQuery } from '@/api/catalogue'
import { messageOf } from '@/api/problem'
import { paths } from '@/lib/paths'
import { useSessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Empty, Failure, Loading } from '@/ui/states'

import { RestaurantCard } from './RestaurantCard'

/** The owner's restaurants. */
export function OwnerRestaurantsPage() {
  const t = useTexts()
  const user = useSessionUser()
  const { data, error, isPending, refetch } = useQuery(restaurantsQuery())
  const own = data?.filter((restaurant) => restaurant.ownerId === user?.id) ?? []
  return (
    <Page
      title={t('owner.restaurant')}
      lead={t('owner.restaurantsLead')}
      aside={
        <Button component={Link} to={paths.owner.newRestaurant()} leftSection={<IconPlus size={18} />}>
          {t('owner.addRestaurant')}
        </Button>
      }
    >
      {isPending && <Loading />}
      {error !== null && <Failure message={messageOf(error, t('owner.failed'))} retry={() => void refetch()} />}
      {data !== undefined && own.length === 0 && (
        <Empty text={t('owner.noRestaurants')} art="empty-list" hint={t('owner.noRestaurantsHint')} />
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        {own.map((restaurant) => (
          <RestaurantCard key={restaurant._id} restaurant={restaurant} />
        ))}
      </SimpleGrid>
    </Page>
  )
}
