import { Group, Text } from '@mantine/core'

import type { Order } from '@/api/generated/types.gen'
import { moneyText } from '@/lib/format'
import { useTexts } from '@/lib/texts'
import { CancellationNote } from '@/ui/CancellationNote'
import { Picture } from '@/ui/Picture'
import { RefundNote } from '@/ui/RefundNote'

import classes from './admin.module.css'

/** The address and recipient of an order, and its note. */
export function OrderDescription({ order }: { order: Order }) {
  const t = useTexts()
  const facts: [label: string, value: string | null | undefined][] = [
    [t('admin.address'), order.address],
    [t('admin.customerName'), order.customerName],
    [t('admin.phone'), order.phone],
    [t('admin.email'), order.email],
  ]
  if (order.note != null) facts.push([t('admin.note'), order.note])
  return (
    <>
      <CancellationNote reader="staff" cancellation={order.cancellation} />
      <RefundNote refunds={order.refunds} />
      <dl className={classes.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value ? value : t('admin.notAvailable')}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

export function OrderItems({ order }: { order: Order }) {
  const t = useTexts()
  return (
    <Group gap="sm" wrap="nowrap">
      <Picture src={order.image} alt={order.Item_name} kind="dish" width={72} height={56} />
      <div>
        <Text fw={600} size="sm">
          {order.Item_name}
        </Text>
        <Text size="sm" c="dimmed">
          {t('admin.quantityIs', { quantity: order.quantity })} · {t('admin.priceIs', { price: moneyText(order.price) })}
        </Text>
      </div>
    </Group>
  )
}
