import { Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router'

import type { Restaurant } from '@/api/generated/types.gen'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { Picture } from '@/ui/Picture'

import classes from './admin.module.css'
import { useRestaurantActions } from './restaurant-actions'

export function RestaurantCard({ restaurant }: { restaurant: Restaurant }) {
  const t = useTexts()
  const { verify, remove, isBusy } = useRestaurantActions(restaurant)
  const facts: [label: string, value: string][] = [
    [t('admin.owner'), restaurant.ownerName],
    [t('admin.address'), restaurant.address],
    [t('admin.phone'), restaurant.phone],
  ]
  return (
    <Card component="article" withBorder className={classes.restaurant ?? ''} aria-label={restaurant.name}>
      <Card.Section>
        <Link
          to={paths.admin.items({ restaurantId: restaurant._id })}
          state={{ restaurantId: restaurant._id, restaurantName: restaurant.name }}
          className={classes.picture}
          aria-label={t('admin.showItemsOf', { name: restaurant.name })}
        >
          <Picture src={restaurant.images[0]} alt="" kind="restaurant" width={360} height={200} fluid />
        </Link>
      </Card.Section>
      <Stack gap="sm" mt="md" style={{ flex: 1 }}>
        <Title order={2} size="h3">
          {restaurant.name}
        </Title>
        <dl className={classes.details}>
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value === '' ? t('admin.notAvailable') : value}</dd>
            </div>
          ))}
          <div>
            <dt>{t('admin.status')}</dt>
            <dd>
              <Badge variant="light" color={restaurant.isOpen ? 'leaf' : 'gray'}>
                {restaurant.isOpen ? t('admin.open') : t('admin.closed')}
              </Badge>
            </dd>
          </div>
          <div>
            <dt>{t('admin.verified')}</dt>
            <dd>
              <Badge variant="light" color={restaurant.verified ? 'leaf' : 'amber'}>
                {restaurant.verified ? t('admin.yes') : t('admin.no')}
              </Badge>
            </dd>
          </div>
        </dl>
        <Text size="sm" lineClamp={4}>
          {restaurant.description}
        </Text>
        <Group gap="xs" mt="auto">
          {!restaurant.verified && (
            <Button
              size="compact-sm"
              aria-label={t('admin.verifyRestaurant', { name: restaurant.name })}
              disabled={isBusy}
              onClick={verify}
            >
              {t('admin.verify')}
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="light"
            color="red"
            aria-label={t('admin.deleteRestaurant', { name: restaurant.name })}
            disabled={isBusy}
            onClick={() => void remove()}
          >
            {t('admin.delete')}
          </Button>
        </Group>
      </Stack>
    </Card>
  )
}
