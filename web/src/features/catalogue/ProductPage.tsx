import { Anchor, Badge, Container, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'

import { itemQuery, restaurantQuery } from '@/api/catalogue'
import type { Item } from '@/api/generated/types.gen'
import { rupees } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Picture } from '@/ui/Picture'
import { Failure, Loading } from '@/ui/states'

import { AddToCart } from './AddToCart'
import { categoryLabel } from './categories'
import { refusalOf } from './refusal'

function Details({ item }: { item: Item }) {
  const { data: restaurant, isError } = useQuery(restaurantQuery(item.restaurantId))
  const [first, ...others] = item.images
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
      <title>{`${item.name} · Tiffin`}</title>
      <Stack gap="sm">
        <Picture src={first} alt={item.name} kind="dish" width={640} height={480} fluid eager />
        {others.length > 0 && (
          <Group gap="xs">
            {others.map((image) => (
              <Picture key={image} src={image} alt="" kind="dish" width={96} height={72} />
            ))}
          </Group>
        )}
      </Stack>
      <Stack gap="md" align="flex-start">
        <Group gap="xs">
          <Badge variant="light">{categoryLabel(item.category)}</Badge>
          <Badge variant="light" color={item.available ? 'leaf' : 'gray'}>
            {item.available ? 'In Stock' : 'Out of Stock'}
          </Badge>
        </Group>
        <div>
          <Title order={1}>{item.name}</Title>
          {isError ? (
            <Text c="dimmed" mt={4}>
              Restaurant details are not available.
            </Text>
          ) : (
            restaurant !== undefined && (
              <Text c="dimmed" mt={4}>
                by{' '}
                <Anchor component={Link} to={paths.restaurant(restaurant._id)}>
                  {restaurant.name}
                </Anchor>
                {!restaurant.isOpen && ', closed now'}
              </Text>
            )
          )}
        </div>
        <Text maw={520}>{item.description}</Text>
        <Text fz={28} fw={750} ff="heading">
          {rupees(item.price)}
        </Text>
        <AddToCart itemKey={item._id} name={item.name} refusal={refusalOf(item, restaurant)} size="lg" />
      </Stack>
    </SimpleGrid>
  )
}

export function ProductPage() {
  const { key = '' } = useParams()
  const item = useQuery(itemQuery(key))
  return (
    <Container size="lg" py={{ base: 'lg', sm: 40 }}>
      {item.isPending && <Loading />}
      {item.isError && (
        <Failure message="Failed to load food details. Please try again later." retry={() => void item.refetch()} />
      )}
      {item.data !== undefined && <Details item={item.data} />}
    </Container>
  )
}
