import { Group, Stack } from '@mantine/core'

import type { Order } from '@/api/generated/types.gen'

import classes from './board.module.css'
import { OrderDescription, OrderItems } from './order-details'
import { type OrderControlsProps, useOrderControls } from './use-order-controls'

interface Props {
  orders: [Order, ...Order[]]
  controlsProps: (order: Order) => OrderControlsProps
}

/** The address of a ticket, and its orders with what can be done to one of them alone. */
export function TicketLines({ orders, controlsProps }: Props) {
  const [first] = orders
  return (
    <Stack gap="xs">
      <OrderDescription order={first} withNote={false} />
      {orders.map((order) => (
        <TicketLine key={order._id} {...controlsProps(order)} />
      ))}
    </Stack>
  )
}

function TicketLine(props: OrderControlsProps) {
  const controls = useOrderControls(props)
  return (
    <div className={classes.line}>
      <OrderItems order={props.order} />
      {controls.status}
      <Group gap={4} justify="space-between" align="start">
        {controls.cancel}
        {controls.refund}
        {controls.remove}
      </Group>
    </div>
  )
}
