import { Badge, Group, Skeleton, Stack, Text } from '@mantine/core'
import { memo } from 'react'
import { Link } from 'react-router'

import type { Item, Restaurant } from '@/api/generated/types.gen'
import { moneyText } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { Picture } from '@/ui/Picture'

import { AddToCart } from './AddToCart'
import classes from './cards.module.css'
import { RatingSummary } from './RatingSummary'
import { unavailableReason } from './unavailable-reason'

interface Props {
  item: Item
  restaurant?: Restaurant | undefined
  /** Names the restaurant; its own page need not. */
  named?: boolean
  /** Pictures above the fold are not put off. */
  eager?: boolean
}

export const DishCard = memo(({ item, restaurant, named = true, eager = false }: Props) => {
  const t = useTexts()
  return (
    <article className={`${classes.card ?? ''} ${classes.dish ?? ''}`} aria-label={item.name}>
      <div className={classes.photo}>
        <Picture src={item.images[0]} alt="" kind="dish" width={400} height={280} fluid eager={eager} />
        <Badge
          variant="default"
          className={classes.badge}
          c={item.available ? 'leaf' : 'dimmed'}
        >
          {item.available ? t('catalogue.inStock') : t('catalogue.outOfStock')}
        </Badge>
      </div>
      <Stack gap={4} className={classes.text ?? ''}>
        <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
          <Link to={paths.product(item._id)} className={classes.title}>
            {item.name}
          </Link>
          <RatingSummary rating={item.rating} count={item.ratingCount} />
        </Group>
        <Text size="sm" c="dimmed" lineClamp={2}>
          {(named ? restaurant?.name : undefined) ?? item.description}
        </Text>
      </Stack>
      <Group justify="space-between" wrap="nowrap" gap={4} className={classes.order ?? ''}>
        <Text fw={700}>{moneyText(item.price)}</Text>
        <div className={classes.action}>
          <AddToCart itemKey={item._id} name={item.name} unavailableReason={unavailableReason(item, restaurant)} />
        </div>
      </Group>
    </article>
  )
})
DishCard.displayName = 'DishCard'

/** A skeleton of a card's size, so that nothing moves when the dish is there. */
export function DishSkeleton() {
  return (
    <div className={`${classes.card ?? ''} ${classes.dish ?? ''}`} data-testid="item-skeleton" aria-hidden>
      <div className={classes.photo}>
        <Skeleton height={0} radius={0} className={classes.blank ?? ''} />
      </div>
      <div className={classes.text}>
        <Skeleton height={18} mt={4} width="70%" />
        <Skeleton height={13} mt={10} width="45%" />
      </div>
      <Skeleton height={28} mt="md" />
    </div>
  )
}
