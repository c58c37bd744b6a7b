import { Badge, Button, Card, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { restaurantsQuery } from '@/api/catalogue'
import { closeRestaurant, openRestaurant } from '@/api/generated/sdk.gen'
import type { Restaurant } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'
import { useSessionUser } from '@/lib/session'
import { Page } from '@/ui/Page'
import { Picture } from '@/ui/Picture'
import { Empty, Failure, Loading } from '@/ui/states'
import { toast } from '@/ui/toast'

import classes from './owner.module.css'

function Shop({ restaurant }: { restaurant: Restaurant }) {
  const queries = useQueryClient()
  const toggle = useMutation({
    mutationFn: () => (restaurant.isOpen ? closeRestaurant : openRestaurant)({ path: { id: restaurant._id } }),
    onSuccess: ({ message }) => {
      toast.success(message)
    },
    onError: () => {
      toast.error('Failed to update shop status.')
    },
    onSettled: () => queries.invalidateQueries({ queryKey: restaurantsQuery().queryKey }),
  })
  return (
    <Card component="article" withBorder className={classes.card} aria-label={restaurant.name}>
      <Group gap="md" align="center">
        <Picture src={restaurant.images[0]} alt="" kind="restaurant" width={112} height={84} />
        <Stack gap={4} style={{ flex: '1 1 220px', minWidth: 0 }}>
          <Group gap="xs">
            <Text fw={650} size="lg">
              {restaurant.name}
            </Text>
            <Badge variant="light" color={restaurant.isOpen ? 'leaf' : 'gray'}>
              {restaurant.isOpen ? 'Open' : 'Closed'}
            </Badge>
          </Group>
          <Text size="sm" c="dimmed">
            {restaurant.address} · {restaurant.phone}
          </Text>
          <Text size="sm" lineClamp={2}>
            {restaurant.description}
          </Text>
        </Stack>
        <Button
          variant={restaurant.isOpen ? 'default' : 'filled'}
          loading={toggle.isPending}
          aria-label={`${restaurant.isOpen ? 'Close' : 'Open'} Shop: ${restaurant.name}`}
          onClick={() => {
            toggle.mutate()
          }}
        >
          {restaurant.isOpen ? 'Close Shop' : 'Open Shop'}
        </Button>
      </Group>
    </Card>
  )
}

export function OwnerRestaurantsPage() {
  const user = useSessionUser()
  const { data, error, isPending, refetch } = useQuery(restaurantsQuery())
  const own = data?.filter((restaurant) => restaurant.ownerId === user?.id) ?? []
  return (
    <Page title="Restaurant" lead="A closed shop stays visible, and takes no orders." size="md">
      {isPending && <Loading />}
      {error !== null && <Failure message={messageOf(error, 'An error occurred')} retry={() => void refetch()} />}
      {data !== undefined && own.length === 0 && <Empty text="No restaurant of yours is listed yet." art="empty-list" />}
      <Stack gap="md">
        {own.map((restaurant) => (
          <Shop key={restaurant._id} restaurant={restaurant} />
        ))}
      </Stack>
    </Page>
  )
}
