import { Card, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { ordersQuery } from '@/api/orders'
import { useTexts } from '@/lib/texts'
import { CancellationNote } from '@/ui/CancellationNote'
import { StatusBadge } from '@/ui/StatusBadge'

import classes from './account.module.css'
import { OrderEntry } from './OrderEntry'

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
              <OrderEntry order={order}>
                <CancellationNote reader="customer" cancellation={order.cancellation} />
              </OrderEntry>
              <StatusBadge status={order.status} />
            </li>
          ))}
        </ul>
      </Stack>
    </Card>
  )
}
