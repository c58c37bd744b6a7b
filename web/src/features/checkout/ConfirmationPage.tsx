import { Button, Card, Divider, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import type { Order } from '@/api/generated/types.gen'
import { paymentsQuery } from '@/api/payments'
import { moneyText } from '@/lib/format'
import { paths } from '@/lib/paths'
import { type TextId, useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { AnswerNote } from '@/ui/AnswerNote'
import { CancellationNote } from '@/ui/CancellationNote'
import { KitchenNote } from '@/ui/KitchenNote'
import { Picture } from '@/ui/Picture'
import { RefundNote } from '@/ui/RefundNote'
import { StatusBadge } from '@/ui/StatusBadge'

import { useCheckoutOrders } from './use-checkout-orders'
import classes from './CartPage.module.css'
import { MissingCheckout } from './MissingCheckout'
import { OpenNearby } from './OpenNearby'
import { balanceOf } from './shares'

function PlacedOrder({ order }: { order: Order }) {
  const t = useTexts()
  return (
    <li className={classes.line}>
      <Picture src={order.image} alt="" kind="dish" width={76} height={62} />
      <div className={classes.what}>
        <Text fw={600}>{order.Item_name}</Text>
        <Text size="sm" c="dimmed">
          {t('checkout.priceEach', { quantity: order.quantity, price: moneyText(order.price), restaurant: order.restaurantName })}
        </Text>
        <Text size="xs" c="dimmed" ff="monospace">
          {order.orderId}
        </Text>
        <KitchenNote note={order.note} />
        <AnswerNote order={order} />
        <CancellationNote reader="customer" cancellation={order.cancellation} />
        <RefundNote refunds={order.refunds} />
      </div>
      <StatusBadge status={order.status} />
      <Text fw={650} className={classes.sum}>
        {moneyText(order.totalAmount)}
      </Text>
    </li>
  )
}

function nextOf(isCancelled: boolean, delivery: string | undefined): TextId {
  if (isCancelled) return 'checkout.seeWhyBelow'
  return delivery === undefined ? 'checkout.restaurantConfirmsNext' : 'checkout.driverHasIt'
}

/** The orders of one checkout, their state, and the way to the payment. */
export function ConfirmationPage() {
  const t = useTexts()
  const checkout = useCheckoutOrders()
  const payments = useQuery(paymentsQuery())
  const [first] = checkout.orders
  if (first === undefined) return <MissingCheckout checkout={checkout} title={t('checkout.yourOrder')} />

  const total = checkout.orders.reduce((sum, order) => sum + order.totalAmount, 0)
  const delivery = checkout.orders.find((order) => order.deliveryId)?.deliveryId ?? undefined
  const isCancelled = checkout.orders.every(({ status }) => status === 'cancelled')
  const refused = checkout.orders.find(({ cancellation }) => cancellation?.by === 'deadline')
  const isPaid = payments.data !== undefined && balanceOf(checkout.orders, payments.data).left === 0
  return (
    <Page title={t('checkout.yourOrder')} size="sm">
      <Card withBorder className={classes.panel} padding="lg">
        <Stack gap="md">
          <Group gap="md" wrap="nowrap">
            <ThemeIcon size={48} radius="xl" color={isCancelled ? 'gray' : 'leaf'}>
              {isCancelled ? <IconX size={28} aria-hidden /> : <IconCheck size={28} aria-hidden />}
            </ThemeIcon>
            <div>
              <Title order={2}>{t(isCancelled ? 'checkout.allCancelled' : 'checkout.ordered')}</Title>
              <Text c="dimmed">{t(nextOf(isCancelled, delivery))}</Text>
            </div>
          </Group>
          <Divider />
          <ul className={classes.lines} aria-label={t('checkout.orderedItems')}>
            {checkout.orders.map((order) => (
              <PlacedOrder key={order._id} order={order} />
            ))}
          </ul>
          {refused !== undefined && <OpenNearby order={refused} />}
          <Divider />
          {first.address && (
            <Group justify="space-between" align="start" wrap="nowrap">
              <Text c="dimmed">{t('checkout.deliveryAddress')}</Text>
              <Text ta="right" className={classes.text}>
                {first.address}
              </Text>
            </Group>
          )}
          <Group justify="space-between">
            <Text fw={600}>{t('checkout.total')}</Text>
            <Text fz={24} fw={700} ff="heading">
              {moneyText(total)}
            </Text>
          </Group>
          <Button
            component={Link}
            size="lg"
            variant={isPaid ? 'light' : 'filled'}
            to={paths.payment(first.checkoutId)}
            state={{ orders: checkout.orders }}
          >
            {t(isPaid ? 'checkout.payments' : 'checkout.proceedToPayment')}
          </Button>
          <Group grow preventGrowOverflow={false}>
            <Button component={Link} variant="default" to={delivery === undefined ? paths.profile() : paths.track(delivery)}>
              {t(delivery === undefined ? 'checkout.myOrders' : 'checkout.followDriver')}
            </Button>
            <Button component={Link} to={paths.items()} variant="default">
              {t('checkout.orderMore')}
            </Button>
          </Group>
        </Stack>
      </Card>
    </Page>
  )
}
