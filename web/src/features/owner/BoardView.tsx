import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'

import { deliveriesQuery } from '@/api/deliveries'
import type { Delivery, Order } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'

import classes from './board.module.css'
import { CancelledNotices } from './CancelledNotices'
import { canFillScreen, toggleKitchenMode, useKitchenMode } from './kitchen-mode'
import { useNewOrders } from './new-orders'
import { deliveredOrdersQuery, openOrdersQuery } from './orders'
import { OrdersBoard } from './OrdersBoard'
import { OrdersFrame } from './OrdersFrame'
import { UndoBar } from './UndoBar'
import { useOrderActions } from './use-order-actions'

/** The same list each time, so that the board is not drawn again. */
const NO_DELIVERIES: Delivery[] = []

/** Every open order and the newest delivered ones, as tickets in columns. */
export function BoardView() {
  const t = useTexts()
  const open = useQuery(openOrdersQuery())
  const delivered = useQuery(deliveredOrdersQuery())
  const inKitchen = useKitchenMode()
  const [restaurantId, setRestaurantId] = useState('')
  const { data: deliveries = NO_DELIVERIES } = useQuery(deliveriesQuery())
  const newOrders = useNewOrders()
  const orders = open.data && delivered.data && [...open.data, ...delivered.data]
  const actions = useOrderActions(orders ?? [])
  const { steps, controlsProps } = actions
  const restaurants = restaurantsOf(orders ?? [])
  // The last order of a restaurant may be gone since it was chosen.
  const chosen = restaurants.has(restaurantId) ? restaurantId : ''
  const shown = (orders ?? []).filter((order) => chosen === '' || order.restaurantId === chosen)
  // A hundred tickets are drawn between frames, and once for all that came meanwhile.
  const board = useDeferredValue({ orders: shown, deliveries, newOrders, controlsProps, onUndo: steps.undo })
  const retry = () => {
    void open.refetch()
    void delivered.refetch()
  }

  return (
    <div className={classes.screen} data-kitchen={inKitchen || undefined}>
      <CancelledNotices open={open.data ?? []} />
      <OrdersFrame orders={orders} error={open.error ?? delivered.error} retry={retry} actions={actions}>
        <Group gap="sm" className={classes.tools ?? ''}>
          {restaurants.size > 1 && (
            <NativeSelect
              size="xs"
              aria-label={t('owner.restaurant')}
              value={chosen}
              data={[{ value: '', label: t('owner.allRestaurants') }, ...[...restaurants].map(([value, label]) => ({ value, label }))]}
              onChange={(event) => {
                setRestaurantId(event.currentTarget.value)
              }}
            />
          )}
          {canFillScreen() && (
            <Button size="xs" variant="default" onClick={() => void toggleKitchenMode()}>
              {inKitchen ? t('owner.leaveKitchen') : t('owner.kitchenMode')}
            </Button>
          )}
          <UndoBar undoable={steps.undoable} onUndo={steps.undo} onDismiss={steps.dismissUndo} />
        </Group>
        <OrdersBoard {...board} />
        {!inKitchen && (
          <Text size="sm" c="dimmed" visibleFrom="md" mt="sm">
            {t('owner.boardKeys')}
          </Text>
        )}
      </OrdersFrame>
    </div>
  )
}

/** The names of the restaurants that have orders, by id. */
function restaurantsOf(orders: Order[]): Map<string, string> {
  const names = orders.map(({ restaurantId, restaurantName }) => [restaurantId, restaurantName] as const)
  return new Map(names.sort(([, one], [, other]) => one.localeCompare(other)))
}
