import { Badge, Group, Skeleton, Text } from '@mantine/core'
import { IconMapPin, IconRosetteDiscountCheckFilled } from '@tabler/icons-react'
import { memo } from 'react'
import { Link } from 'react-router'

import type { Restaurant } from '@/api/generated/types.gen'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { Picture } from '@/ui/Picture'

import classes from './cards.module.css'
import { CustomerTime } from './CustomerTime'
import { RatingSummary } from './RatingSummary'
import { statusText } from './status-text'

interface Props {
  restaurant: Restaurant
  eager?: boolean
  /** The open restaurants that are shown along with it. */
  among: readonly string[]
}

export const RestaurantCard = memo(({ restaurant, eager = false, among }: Props) => {
  const t = useTexts()
  return (
    <article className={classes.card} data-closed={!restaurant.isOpen || undefined}>
      <div className={classes.photo}>
        <Picture src={restaurant.images[0]} alt="" kind="restaurant" width={400} height={240} fluid eager={eager} />
        <Badge variant="default" className={classes.badge} c={restaurant.isOpen ? 'leaf' : 'dimmed'}>
          {statusText(restaurant)}
        </Badge>
      </div>
      <Group gap={6} mt="sm" wrap="nowrap">
        <Link to={paths.restaurant(restaurant._id)} state={{ restaurant }} className={classes.title}>
          {restaurant.name}
        </Link>
        {restaurant.verified && (
          <IconRosetteDiscountCheckFilled
            size={18}
            color="var(--mantine-color-leaf-6)"
            role="img"
            aria-label={t('catalogue.verified')}
          />
        )}
        <span className={classes.gap} />
        <RatingSummary rating={restaurant.rating} count={restaurant.ratingCount} />
      </Group>
      <Text size="sm" c="dimmed" lineClamp={2} mt={2}>
        {restaurant.description}
      </Text>
      <Group gap={4} mt={8} wrap="nowrap" c="dimmed">
        <IconMapPin size={15} aria-hidden style={{ flexShrink: 0 }} />
        <Text size="xs" truncate flex={1}>
          {restaurant.address}
        </Text>
        <Text size="xs" component="div">
          <CustomerTime restaurant={restaurant} among={among} />
        </Text>
      </Group>
    </article>
  )
})
RestaurantCard.displayName = 'RestaurantCard'

export function RestaurantSkeleton() {
  return (
    <div className={classes.card} aria-hidden>
      <div className={classes.photo}>
        <Skeleton height={0} pb="60%" radius={0} />
      </div>
      <Skeleton height={18} mt="md" width="60%" />
      <Skeleton height={13} mt={10} />
      <Skeleton height={13} mt={8} width="50%" />
    </div>
  )
}
