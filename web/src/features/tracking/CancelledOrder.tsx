import { Card, Text } from '@mantine/core'

import type { Order } from '@/api/generated/types.gen'
import { moneyText } from '@/lib/format'
import { useTexts } from '@/lib/texts'
import { CancellationNote } from '@/ui/CancellationNote'

import classes from './tracking.module.css'

/** An order whose delivery ended because it was cancelled. */
export function CancelledOrder({ order, isOwner }: { order: Order; isOwner: boolean }) {
  const t = useTexts()
  return (
    <Card component="section" withBorder padding="md" className={classes.orderSummary} aria-label={order.orderId}>
      <Text fw={600}>{t('tracking.quantityOf', { quantity: order.quantity, name: order.Item_name })}</Text>
      <Text size="sm" c="dimmed">
        {moneyText(order.totalAmount)} · {order.orderId}
      </Text>
      <CancellationNote reader={isOwner ? 'staff' : 'customer'} cancellation={order.cancellation} />
    </Card>
  )
}
