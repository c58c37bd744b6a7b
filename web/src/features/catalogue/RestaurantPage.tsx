import { Badge, Container, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconMapPin, IconPhone } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from 'react-router'

import { itemsOfQuery, restaurantQuery, restaurantsQuery } from '@/api/catalogue'
import type { Restaurant } from '@/api/generated/types.gen'
import { isProblem } from '@/api/problem'
import { Empty, Failure, Loading } from '@/ui/states'

import { Carousel } from './Carousel'
import { DishCard, DishSkeleton } from './DishCard'

function About({ restaurant }: { restaurant: Restaurant }) {
  return (
    <Stack gap="md">
      <Carousel images={restaurant.images} label={restaurant.name} />
      <div>
        <Group gap="sm" align="center">
          <Title order={1}>{restaurant.name}</Title>
          <Badge size="lg" variant="light" color={restaurant.isOpen ? 'leaf' : 'gray'}>
            {restaurant.isOpen ? 'Open' : 'Closed'}
          </Badge>
          {restaurant.verified && (
            <Badge size="lg" variant="light" color="blue">
              Verified
            </Badge>
          )}
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
        </Group>
      </div>
    </Stack>
  )
}

export function RestaurantPage() {
  const { id = '' } = useParams()
  const queries = useQueryClient()
  const restaurant = useQuery({
    ...restaurantQuery(id),
    // What the list knows is shown while the details come.
    placeholderData: () => queries.getQueryData(restaurantsQuery().queryKey)?.find((one) => one._id === id),
  })
  const items = useQuery(itemsOfQuery(id))

  if (isProblem(restaurant.error) && restaurant.error.status === 404) {
    return <Empty text="Restaurant not found." art="nothing-found" />
  }
  const failed = restaurant.isError || items.isError
  return (
    <Container size="lg" py="lg">
      <title>{`${restaurant.data?.name ?? 'Restaurant'} · Tiffin`}</title>
      <Stack gap="xl">
        {failed && (
          <Failure
            message="Failed to load restaurant or collections."
            retry={() => {
              void restaurant.refetch()
              void items.refetch()
            }}
          />
        )}
        {restaurant.isPending && <Loading />}
        {restaurant.data !== undefined && <About restaurant={restaurant.data} />}
        <Stack gap="md" component="section" aria-busy={items.isPending}>
          <Title order={2}>Menu</Title>
          {items.data?.length === 0 && <Empty text="No food items found for this restaurant." art="nothing-found" />}
          <SimpleGrid cols={{ base: 1, xs: 2, sm: 3, md: 4 }}>
            {items.isPending
              ? [1, 2, 3, 4].map((slot) => <DishSkeleton key={slot} />)
              : items.data?.map((item) => <DishCard key={item._id} item={item} restaurant={restaurant.data} named={false} />)}
          </SimpleGrid>
        </Stack>
      </Stack>
    </Container>
  )
}
