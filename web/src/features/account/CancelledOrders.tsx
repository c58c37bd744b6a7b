import { Anchor, Card, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { ordersQuery } from '@/api/orders'
import { dateTimeText, rupees } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { CancellationNote } from '@/ui/CancellationNote'
import { Picture } from '@/ui/Picture'
import { StatusBadge } from '@/ui/StatusBadge'

import classes from './account.module.css'

/** The number of cancelled orders that are shown. */
const MOST = 5

/** The customer's newest cancelled orders, each with its reason; nothing if there are none. */
export function CancelledOrders() {
  const t = useTexts()
  const { data } = useQuery(ordersQuery())
  const cancelled = data?.filter(({ status }) => status === 'cancelled').slice(0, MOST) ?? []
  if (cancelled.length === 0) return null
  return (
    <Card component="section" withBorder padding="lg" className={classes.card} aria-label={t('account.cancelledOrders')}>
      <Stack gap="sm">
        <Title order={2}>{t('account.cancelledOrders')}</Title>
        <ul className={classes.list}>
          {cancelled.map((order) => (
            <li key={order._id} className={classes.row} data-testid="cancelled-order" data-order={order.orderId}>
              <Picture src={order.image} alt="" kind="dish" width={72} height={60} />
              <div className={classes.what}>
                <Anchor component={Link} to={paths.bookingConfirmation(order.checkoutId)} fw={600}>
                  {t('account.quantityOf', { quantity: order.quantity, name: order.Item_name })}
                </Anchor>
                <Text size="sm" c="dimmed">
                  {order.restaurantName} · {rupees(order.totalAmount)}
                </Text>
                <Text size="xs" c="dimmed">
                  {dateTimeText(order.createdAt)} · {order.orderId}
                </Text>
                <CancellationNote reader="customer" cancellation={order.cancellation} />
              </div>
              <StatusBadge status={order.status} />
            </li>
          ))}
        </ul>
      </Stack>
    </Card>
  )
}
