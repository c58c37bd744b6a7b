import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { restaurantsQuery } from '@/api/catalogue'
import type { Order } from '@/api/generated/types.gen'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'

import { openNearby } from './open-nearby'

/** Other restaurants that take orders, the nearest to the order's destination first. */
export function OpenNearby({ order }: { order: Order }) {
  const t = useTexts()
  const { data } = useQuery(restaurantsQuery())
  return (
    <Stack component="section" gap={2} aria-label={t('checkout.openNearby')}>
      <Text fw={600}>{t('checkout.openNearby')}</Text>
      {openNearby(data ?? [], order).map(({ _id, name }) => (
        <Anchor key={_id} component={Link} to={paths.restaurant(_id)}>
          {name}
        </Anchor>
      ))}
      <Anchor component={Link} to={paths.restaurants()} c="dimmed" size="sm">
        {t('checkout.allRestaurants')}
      </Anchor>
    </Stack>
  )
}
