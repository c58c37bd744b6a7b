import { Button, Group } from '@mantine/core'

import { useTexts } from '@/lib/texts'

import { useOwnerOrders } from './orders'
import { OrdersFrame } from './OrdersFrame'
import { OrdersTable } from './OrdersTable'
import { useOrderActions } from './use-order-actions'

/** Every order by pages, newest first. */
export function TableView() {
  const t = useTexts()
  const { orders, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useOwnerOrders()
  const actions = useOrderActions(orders ?? [])
  return (
    <OrdersFrame orders={orders} error={error} retry={() => void refetch()} actions={actions}>
      <OrdersTable orders={orders ?? []} controlsProps={actions.controlsProps} />
      {hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('owner.olderOrders')}
          </Button>
        </Group>
      )}
    </OrdersFrame>
  )
}
