import { Badge, Container, Group, Stack, Text, Title } from '@mantine/core'
import { IconMapPin, IconPhone } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLocation, useParams } from 'react-router'

import { itemsOfQuery, restaurantQuery } from '@/api/catalogue'
import type { Restaurant } from '@/api/generated/types.gen'
import { isProblem } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { Empty, Failure, Loading } from '@/ui/states'

import { restaurantFromState } from './restaurant-from-state'
import { CustomerTime } from './CustomerTime'
import { Carousel } from './Carousel'
import { DishCard, DishSkeleton } from './DishCard'
import { RatingSummary } from './RatingSummary'
import { statusText } from './status-text'
import cards from './cards.module.css'

function About({ restaurant }: { restaurant: Restaurant }) {
  const t = useTexts()
  const among = useMemo(() => [restaurant._id], [restaurant._id])
  return (
    <Stack gap="md">
      <Carousel images={restaurant.images} label={restaurant.name} />
      <div>
        <Group gap="sm" align="center">
          <Title order={1}>{restaurant.name}</Title>
          <Badge size="lg" variant="light" color={restaurant.isOpen ? 'leaf' : 'gray'}>
            {statusText(restaurant)}
          </Badge>
          {restaurant.busyMinutes != null && (
            <Badge size="lg" variant="light" color="ember">
              {t('catalogue.busy', { minutes: restaurant.busyMinutes })}
            </Badge>
          )}
          {restaurant.verified && (
            <Badge size="lg" variant="light" color="blue">
              {t('catalogue.verified')}
            </Badge>
          )}
          <RatingSummary rating={restaurant.rating} count={restaurant.ratingCount} />
        </Group>
        <Text mt="xs" maw={700}>
          {restaurant.description}
        </Text>
        <Group gap="lg" mt="sm" c="dimmed">
          <Group gap={6}>
            <IconMapPin size={17} aria-hidden />
            <Text size="sm">{restaurant.address}</Text>
          </Group>
          <Group gap={6}>
            <IconPhone size={17} aria-hidden />
            <Text size="sm" component="a" href={`tel:${restaurant.phone}`} c="inherit">
              {restaurant.phone}
            </Text>
          </Group>
          <Text size="sm" component="div">
            <CustomerTime restaurant={restaurant} among={among} />
          </Text>
        </Group>
      </div>
    </Stack>
  )
}

export function RestaurantPage() {
  const { id = '' } = useParams()
  const t = useTexts()
  const { state } = useLocation()
  // The restaurant of the navigation state is shown until the details arrive.
  const restaurant = useQuery({ ...restaurantQuery(id), placeholderData: restaurantFromState(state, id) })
  const items = useQuery(itemsOfQuery(id))

  if (isProblem(restaurant.error) && restaurant.error.status === 404) {
    return <Empty text={t('catalogue.restaurantNotFound')} art="nothing-found" />
  }
  const failed = restaurant.isError || items.isError
  return (
    <Container size="lg" py="lg">
      <title>{`${restaurant.data?.name ?? t('catalogue.restaurant')} · Tiffin`}</title>
      <Stack gap="xl">
        {failed && (
          <Failure
            message={t('catalogue.restaurantFailed')}
            retry={() => {
              void restaurant.refetch()
              void items.refetch()
            }}
          />
        )}
        {restaurant.isPending && <Loading />}
        {restaurant.data !== undefined && <About restaurant={restaurant.data} />}
        <Stack gap="md" component="section" aria-busy={items.isPending}>
          <Title order={2}>{t('catalogue.menu')}</Title>
          {items.data?.length === 0 && <Empty text={t('catalogue.noFoodItems')} art="nothing-found" />}
          <div className={cards.dishes}>
            {items.isPending
              ? [1, 2, 3, 4].map((slot) => <DishSkeleton key={slot} />)
              : items.data?.map((item) => <DishCard key={item._id} item={item} restaurant={restaurant.data} named={false} />)}
          </div>
        </Stack>
      </Stack>
    </Container>
  )
}
