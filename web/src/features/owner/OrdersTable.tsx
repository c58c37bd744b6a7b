import { Stack, Table } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'

import type { Order } from '@/api/generated/types.gen'
import { CURRENCY_SIGN } from '@/lib/format'
import { useTexts } from '@/lib/texts'

import type { OrderControlsProps } from './use-order-controls'
import { OrderCard, OrderRow } from './OrderRow'
import classes from './owner.module.css'

interface Props {
  orders: Order[]
  controlsProps: (order: Order) => OrderControlsProps
}

/** The orders as a table, as cards where there is no room for one. */
export function OrdersTable({ orders, controlsProps }: Props) {
  const t = useTexts()
  const wide = useMediaQuery('(min-width: 80em)', true, { getInitialValueInEffect: false })
  if (!wide) {
    return (
      <Stack gap="md">
        {orders.map((order) => (
          <OrderCard key={order._id} {...controlsProps(order)} />
        ))}
      </Stack>
    )
  }
  const columns = [
    t('owner.orderId'),
    t('owner.email'),
    t('owner.orderDate'),
    t('owner.amount', { sign: CURRENCY_SIGN }),
    t('owner.count'),
    t('owner.status'),
    t('owner.driver'),
    t('owner.description'),
    t('owner.actions'),
  ]
  return (
    // Reached by keyboard, so that it can be scrolled by one.
    <div className={classes.tableBox} tabIndex={0} role="region" aria-label={t('owner.orders')}>
      <Table verticalSpacing="sm" highlightOnHover className={classes.table} aria-label={t('owner.orders')}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column} scope="col">
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {orders.map((order) => (
            <OrderRow key={order._id} {...controlsProps(order)} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
