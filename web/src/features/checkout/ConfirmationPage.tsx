import { Button, Card, Divider, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useSearchParams } from 'react-router'
import { z } from 'zod'

import type { Order } from '@/api/generated/types.gen'
import { ordersQuery } from '@/api/orders'
import { messageOf } from '@/api/problem'
import { rupees } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Page } from '@/ui/Page'
import { Picture } from '@/ui/Picture'
import { Empty, Failure, Loading } from '@/ui/states'
import { StatusBadge } from '@/ui/StatusBadge'

import classes from './CartPage.module.css'

// Navigation state is this app's own, written when the order was placed.
const stateSchema = z.object({
  orders: z.array(z.custom<Order>((order) => z.object({ orderId: z.string(), checkoutId: z.string() }).safeParse(order).success)),
})

function Placed({ order }: { order: Order }) {
  return (
    <li className={classes.line}>
      <Picture src={order.image} alt="" kind="dish" width={76} height={62} />
      <div className={classes.what}>
        <Text fw={600}>{order.Item_name}</Text>
        <Text size="sm" c="dimmed">
          {order.quantity} × {rupees(order.price)} · {order.restaurantName}
        </Text>
        <Text size="xs" c="dimmed" ff="monospace">
          {order.orderId}
        </Text>
      </div>
      <StatusBadge status={order.status} />
      <Text fw={650} className={classes.sum}>
        {rupees(order.totalAmount)}
      </Text>
    </li>
  )
}

/** What was ordered in one checkout, and how it stands. */
export function ConfirmationPage() {
  const [params] = useSearchParams()
  const { state } = useLocation()
  const checkoutId = params.get('checkout')
  const query = useQuery({ ...ordersQuery(), enabled: checkoutId !== null })
  const placed = stateSchema.safeParse(state).data?.orders ?? []
  const known = query.data?.filter((order) => order.checkoutId === checkoutId) ?? []
  const orders = known.length > 0 ? known : placed.filter((order) => order.checkoutId === checkoutId)
  const [first] = orders

  if (first === undefined) {
    if (query.isError) {
      return (
        <Page title="Your order" size="sm">
          <Failure message={messageOf(query.error, 'An error occurred')} retry={() => void query.refetch()} />
        </Page>
      )
    }
    if (checkoutId !== null && query.isPending) return <Loading />
    return (
      <Empty text="Booking details not found." art="nothing-found">
        <Button component={Link} to={paths.home()}>
          Back to the start
        </Button>
      </Empty>
    )
  }

  const total = orders.reduce((sum, order) => sum + order.totalAmount, 0)
  const delivery = orders.find((order) => order.deliveryId)?.deliveryId ?? undefined
  return (
    <Page title="Your order" size="sm">
      <Card withBorder className={classes.panel} padding="lg">
        <Stack gap="md">
          <Group gap="md" wrap="nowrap">
            <ThemeIcon size={48} radius="xl" color="leaf">
              <IconCheck size={28} />
            </ThemeIcon>
            <div>
              <Title order={2}>Thank you, it is ordered.</Title>
              <Text c="dimmed">
                {delivery === undefined
                  ? 'The restaurant confirms it next. You can follow the driver from then on.'
                  : 'A driver has it. Follow them on the map.'}
              </Text>
            </div>
          </Group>
          <Divider />
          <ul className={classes.lines} aria-label="Ordered items">
            {orders.map((order) => (
              <Placed key={order._id} order={order} />
            ))}
          </ul>
          <Divider />
          {first.address && (
            <Group justify="space-between" align="start" wrap="nowrap">
              <Text c="dimmed">Delivery address</Text>
              <Text ta="right">{first.address}</Text>
            </Group>
          )}
          <Group justify="space-between">
            <Text fw={600}>Total</Text>
            <Text fz={24} fw={750} ff="heading">
              {rupees(total)}
            </Text>
          </Group>
          <Group grow>
            <Button component={Link} to={paths.profile(delivery)}>
              {delivery === undefined ? 'My orders' : 'Follow the driver'}
            </Button>
            <Button component={Link} to={paths.items()} variant="default">
              Order more
            </Button>
          </Group>
        </Stack>
      </Card>
    </Page>
  )
}
