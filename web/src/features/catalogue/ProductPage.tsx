import { Anchor, Badge, Container, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { Link, useParams } from 'react-router'

import { itemQuery, restaurantQuery } from '@/api/catalogue'
import type { Item } from '@/api/generated/types.gen'
import { moneyText } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useAfterFirstRender } from '@/lib/render-timing'
import { useTexts } from '@/lib/texts'
import { Picture } from '@/ui/Picture'
import { Failure, Loading } from '@/ui/states'

import { AddToCart } from './AddToCart'
import { categoryLabel } from './categories'
import classes from './product.module.css'
import { RatingSummary } from './RatingSummary'
import { unavailableReason } from './unavailable-reason'
import { Reviews } from './Reviews'

/** The restaurant of the dish. */
function RestaurantLink({ restaurantId }: { restaurantId: string }) {
  const t = useTexts()
  const { data: restaurant, isError } = useQuery(restaurantQuery(restaurantId))
  if (isError) return <Text c="dimmed">{t('catalogue.noRestaurantDetails')}</Text>
  if (restaurant === undefined) return <Text c="dimmed">…</Text>
  return (
    <Group gap="xs">
      <Anchor component={Link} to={paths.restaurant(restaurant._id)} state={{ restaurant }}>
        {restaurant.name}
      </Anchor>
      {!restaurant.isOpen && <Badge color="gray">{t('app.statusClosed')}</Badge>}
    </Group>
  )
}

function Details({ item }: { item: Item }) {
  const t = useTexts()
  const { data: restaurant } = useQuery(restaurantQuery(item.restaurantId))
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
            {t(item.available ? 'catalogue.inStock' : 'catalogue.outOfStock')}
          </Badge>
          <RatingSummary rating={item.rating} count={item.ratingCount} />
        </Group>
        <Stack gap={4}>
          <Title order={1} className={classes.text}>
            {item.name}
          </Title>
          <RestaurantLink restaurantId={item.restaurantId} />
        </Stack>
        <Text maw={520} className={classes.text}>
          {item.description}
        </Text>
        <Text fz={28} fw={700} ff="heading">
          {moneyText(item.price)}
        </Text>
        <AddToCart itemKey={item._id} name={item.name} unavailableReason={unavailableReason(item, restaurant)} size="lg" />
      </Stack>
    </SimpleGrid>
  )
}

/** One dish with its reviews. */
export function ProductPage() {
  const t = useTexts()
  const { key = '' } = useParams()
  const item = useQuery(itemQuery(key))
  // Drawn in small pieces, between which the browser can answer a touch.
  const drawn = useDeferredValue(item.data)
  const showRest = useAfterFirstRender()
  return (
    <Container size="lg" py={{ base: 'lg', sm: 40 }}>
      {drawn === undefined && !item.isError && <Loading />}
      {item.isError && (
        <Stack gap="lg">
          <Title order={1}>{t('catalogue.dish')}</Title>
          <Failure message={t('catalogue.foodFailed')} retry={() => void item.refetch()} />
        </Stack>
      )}
      {drawn !== undefined && (
        <Stack gap={48}>
          <Details item={drawn} />
          {showRest ? <Reviews item={drawn} /> : <div className={classes.below} />}
        </Stack>
      )}
    </Container>
  )
}
