import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'

import type { Order } from '@/api/generated/types.gen'
import { moneyText } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { CancellationNote } from '@/ui/CancellationNote'
import { KitchenNote } from '@/ui/KitchenNote'
import { Picture } from '@/ui/Picture'
import { RefundNote } from '@/ui/RefundNote'

import classes from './owner.module.css'

interface Props {
  order: Order
  /** Without it where each dish has its note beside it. */
  withNote?: boolean
}

/** The restaurant, address and recipient of an order, and its note. */
export function OrderDescription({ order, withNote = true }: Props) {
  const t = useTexts()
  const facts: [label: string, value: string | null | undefined][] = [
    [t('owner.restaurant'), order.restaurantName],
    [t('owner.address'), order.address],
    [t('owner.customerName'), order.customerName],
    [t('owner.phone'), order.phone],
  ]
  if (withNote && order.note != null) facts.push([t('owner.note'), order.note])
  return (
    <Stack gap={2}>
      {facts.map(([label, value]) => (
        <Text key={label} size="sm">
          <Text span c="dimmed" size="sm">
            {label}:
          </Text>{' '}
          <span className={classes.fact}>{value ? value : t('owner.notAvailable')}</span>
        </Text>
      ))}
      <CancellationNote reader="staff" cancellation={order.cancellation} />
      {order.deliveryId != null && (
        <Anchor component={Link} to={paths.owner.track(order.deliveryId)} size="sm">
          {t('owner.deliveryOnMap')}
        </Anchor>
      )}
    </Stack>
  )
}

export function OrderItems({ order }: { order: Order }) {
  const t = useTexts()
  return (
    <Group gap="sm" wrap="nowrap">
      <Picture src={order.image} alt={order.Item_name} kind="dish" width={64} height={52} />
      <div>
        <Text size="sm" fw={600}>
          {order.Item_name}
        </Text>
        <Text size="sm" c="dimmed">
          {t('owner.quantityAndPrice', { quantity: order.quantity, price: moneyText(order.price) })}
        </Text>
        <KitchenNote note={order.note} />
        <RefundNote refunds={order.refunds} />
      </div>
    </Group>
  )
}
