import { Anchor, Button, Card, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { ordersQuery } from '@/api/orders'
import { dateTimeText, rupees } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { Picture } from '@/ui/Picture'
import { StatusBadge } from '@/ui/StatusBadge'

import classes from './account.module.css'
import { useCancelOrder } from './cancel-order'

/** Orders without a driver, which the customer can still cancel; nothing if there are none. */
export function WaitingOrders() {
  const t = useTexts()
  const cancel = useCancelOrder()
  const { data } = useQuery(ordersQuery())
  const waiting = data?.filter((order) => !order.deliveryId && order.status !== 'delivered' && order.status !== 'cancelled')
  if (waiting === undefined || waiting.length === 0) return null
  return (
    <Card component="section" withBorder padding="lg" className={classes.card} aria-label={t('account.waitingForRestaurant')}>
      <Stack gap="sm">
        <Title order={2}>{t('account.waitingForRestaurant')}</Title>
        <ul className={classes.list}>
          {waiting.map((order) => (
            <li key={order._id} className={classes.row} data-testid="waiting-order" data-order={order.orderId}>
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
              </div>
              <StatusBadge status={order.status} />
              {order.status === 'pending' && (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={t('account.cancelOrderNamed', { order: order.orderId })}
                  onClick={() => void cancel(order.orderId)}
                >
                  {t('account.cancelOrder')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Stack>
    </Card>
  )
}
