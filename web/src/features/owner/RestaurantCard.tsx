import { Badge, Button, Card, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'

import { restaurantsQuery } from '@/api/catalogue'
import { ordersUnderWayOfRestaurantQuery } from '@/api/consequences'
import { closeRestaurant, deleteRestaurant, openRestaurant } from '@/api/generated/sdk.gen'
import type { Restaurant } from '@/api/generated/types.gen'
import { clockText } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { SUCCESS_DURATION, confirmDelete, dialog } from '@/ui/confirm'
import { Picture } from '@/ui/Picture'
import { toast } from '@/ui/toast'

import classes from './owner.module.css'
import { PaceControls } from './PaceControls'

/** Opening, closing and deleting a restaurant. */
function useChanges({ _id: id, isOpen }: Restaurant) {
  const t = useTexts()
  const queries = useQueryClient()
  const { queryKey } = restaurantsQuery()
  /** The sentence about its orders under way; none if they can't be counted. */
  const consequence = async () => {
    const count = await queries.fetchQuery(ordersUnderWayOfRestaurantQuery(id)).catch(() => undefined)
    return count === undefined ? undefined : t('owner.ordersUnderWay', { count })
  }
  const onSettled = () => queries.invalidateQueries({ queryKey })
  const toggle = useMutation({
    mutationFn: () => (isOpen ? closeRestaurant : openRestaurant)({ path: { id } }),
    onMutate: async () => {
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData(queryKey)
      queries.setQueryData(queryKey, (all) => all?.map((one) => (one._id === id ? { ...one, isOpen: !isOpen } : one)))
      return { before }
    },
    onSuccess: async () => {
      toast.success(t(isOpen ? 'owner.restaurantClosed' : 'owner.restaurantOpened'))
      const orders = isOpen ? await consequence() : undefined
      if (orders !== undefined) toast.info(orders)
    },
    onError: (error, _, kept) => {
      console.error(error)
      queries.setQueryData(queryKey, kept?.before)
      toast.error(t('owner.shopFailed'))
    },
    onSettled,
  })
  const remove = useMutation({
    mutationFn: () => deleteRestaurant({ path: { id } }),
    onSuccess: () => {
      dialog.success(t('owner.deleted'), t('owner.restaurantDeleted'), SUCCESS_DURATION)
    },
    onError: (error) => {
      console.error(error)
      toast.error(t('owner.restaurantDeleteFailed'))
    },
    onSettled,
  })
  return {
    toggle: () => { toggle.mutate() },
    remove: async () => {
      if (await confirmDelete({ consequence: await consequence(), cancel: t('owner.noCancel') })) remove.mutate()
    },
    busy: toggle.isPending || remove.isPending,
  }
}

/** One of the owner's restaurants, with its actions. */
export function RestaurantCard({ restaurant }: { restaurant: Restaurant }) {
  const t = useTexts()
  const { _id: id, name, isOpen } = restaurant
  const { toggle, remove, busy } = useChanges(restaurant)
  const shop = isOpen ? t('owner.closeShop') : t('owner.openShop')
  return (
    <Card component="article" withBorder className={classes.card} aria-label={name}>
      <Stack gap="sm" h="100%">
        <Group gap="md" align="start" wrap="nowrap">
          <Picture src={restaurant.images[0]} alt="" kind="restaurant" width={112} height={84} />
          <Stack gap={4} className={classes.facts}>
            <Text component="h2" fw={650} size="lg" m={0}>
              {name}
            </Text>
            <Group gap={6}>
              <Badge variant="light" color={isOpen ? 'leaf' : 'gray'}>
                {restaurant.pausedUntil == null
                  ? t(isOpen ? 'owner.open' : 'owner.closed')
                  : t('app.pausedUntil', { time: clockText(restaurant.pausedUntil) })}
              </Badge>
              {restaurant.verified && <Badge variant="light">{t('owner.verified')}</Badge>}
            </Group>
            <Text size="sm" c="dimmed">
              {restaurant.address} · {restaurant.phone}
            </Text>
          </Stack>
        </Group>
        <Text size="sm" lineClamp={3}>
          {restaurant.description}
        </Text>
        <PaceControls restaurant={restaurant} />
        <Group gap="xs" mt="auto">
          <Button variant={isOpen ? 'default' : 'filled'} size="sm" disabled={busy} aria-label={`${shop}: ${name}`} onClick={toggle}>
            {shop}
          </Button>
          <Button component={Link} to={paths.owner.items(id)} state={{ restaurantId: id }} variant="light" size="sm" aria-label={`${t('owner.items')}: ${name}`}>
            {t('owner.items')}
          </Button>
          <Button component={Link} to={paths.owner.restaurant(id)} state={{ id }} variant="subtle" size="sm" aria-label={`${t('owner.edit')}: ${name}`}>
            {t('owner.edit')}
          </Button>
          <Button variant="subtle" color="red" size="sm" disabled={busy} aria-label={`${t('owner.delete')}: ${name}`} onClick={() => void remove()}>
            {t('owner.delete')}
          </Button>
        </Group>
      </Stack>
    </Card>
  )
}
