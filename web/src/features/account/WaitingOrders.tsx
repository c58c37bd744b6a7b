import { Button, Card, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { ordersQuery } from '@/api/orders'
import { useTexts } from '@/lib/texts'
import { AnswerNote } from '@/ui/AnswerNote'
import { StatusBadge } from '@/ui/StatusBadge'

import classes from './account.module.css'
import { useCancelOrder } from './cancel-order'
import { OrderEntry } from './OrderEntry'

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
              <OrderEntry order={order}>
                <AnswerNote order={order} />
              </OrderEntry>
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
