import { Button, Card, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useDeferredValue, useState } from 'react'
import { Link, useParams } from 'react-router'

import { deliveriesQuery } from '@/api/deliveries'
import type { Delivery, Order } from '@/api/generated/types.gen'
import { ordersQuery } from '@/api/orders'
import { messageOf } from '@/api/problem'
import { byTicket, leadOf, type TicketDeliveries } from '@/api/tickets'
import { moneyText } from '@/lib/format'
import { lazyPart } from '@/lib/lazy-part'
import { paths } from '@/lib/paths'
import { useAfterFirstRender } from '@/lib/render-timing'
import { useSessionUser } from '@/lib/session'
import { loadTexts, useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Picture } from '@/ui/Picture'
import { Empty, Failure, Loading } from '@/ui/states'
import { StatusBadge, statusLabel } from '@/ui/StatusBadge'

import classes from './tracking.module.css'
import { TrackingMap } from './TrackingMap'

/** All dishes that come together, and their destination. A dish with another status says so. */
function OrderSummary({ deliveries, lead }: { deliveries: TicketDeliveries; lead: Delivery }) {
  const t = useTexts()
  return (
    <Card component="section" withBorder padding="md" className={classes.orderSummary} aria-label={t('tracking.whatIsBrought')}>
      <Stack gap="sm">
        {deliveries.map((delivery) => (
          <Group key={delivery._id} gap="md" wrap="nowrap" data-testid="dish" data-order={delivery.orderId}>
            <Picture src={delivery.itemImage} alt="" kind="dish" width={72} height={60} />
            <div className={classes.text}>
              <Text fw={600}>{t('tracking.quantityOf', { quantity: delivery.qty, name: delivery.orderName })}</Text>
              <Text size="sm" c="dimmed">
                {moneyText(delivery.total)} · {delivery.orderId}
              </Text>
              {delivery.status !== lead.status && <StatusBadge status={delivery.status} />}
            </div>
          </Group>
        ))}
        {lead.address && <Text size="sm">{t('tracking.broughtTo', { address: lead.address })}</Text>}
      </Stack>
    </Card>
  )
}

// Few orders are cancelled: a first visit fetches neither this nor its texts.
const CancelledOrder = lazyPart(async () => {
  const [module] = await Promise.all([import('./CancelledOrder'), loadTexts('cancellation')])
  return { default: module.CancelledOrder }
})

/**
 * One ticket by the URL of any of its deliveries, followed live: all dishes that one driver brings. A cancelled order has
 * no delivery any more; its reason takes the place, above what is left of the ticket.
 */
export function TrackPage() {
  const t = useTexts()
  const { id = '' } = useParams()
  const isOwner = useSessionUser()?.role === 'restaurant'
  const { data: known, error, refetch } = useQuery(deliveriesQuery())
  // Drawn in small pieces, between which the browser can answer a touch.
  const data = useDeferredValue(known)
  const tickets = data === undefined ? [] : byTicket(data)
  const named = data?.find((one) => one._id === id || one.orderId === id)
  // An order's code leads here, too.
  const [code, setCode] = useState(id)
  if (named !== undefined && named.orderId !== code) setCode(named.orderId)
  const isGone = data !== undefined && named === undefined
  const { data: orders } = useQuery({ ...ordersQuery(), enabled: isGone })
  const cancelled = isGone ? orders?.find(({ orderId, status }) => orderId === code && status === 'cancelled') : undefined
  const isOfTicket = ({ checkoutId, restaurantId }: Order) =>
    checkoutId === cancelled?.checkoutId && restaurantId === cancelled.restaurantId
  const left = orders?.filter(isOfTicket).map(({ orderId }) => orderId)
  const deliveries = tickets.find((ticket) => ticket.some((one) => one === named || left?.includes(one.orderId)))
  const lead = deliveries && leadOf(deliveries)
  const status = lead?.status ?? cancelled?.status
  const showRest = useAfterFirstRender()
  const title = status === undefined ? t('tracking.yourDelivery') : statusLabel(status)
  return (
    <Page
      title={title}
      size="md"
      aside={
        <Button component={Link} to={isOwner ? paths.owner.orders() : paths.profile()} variant="default" size="xs">
          {isOwner ? t('tracking.allOrders') : t('tracking.allDeliveries')}
        </Button>
      }
    >
      {data === undefined && error === null && <Loading />}
      {error !== null && <Failure message={messageOf(error, t('tracking.loadFailed'))} retry={() => void refetch()} />}
      {cancelled !== undefined && (
        <Suspense fallback={<Loading />}>
          <CancelledOrder order={cancelled} isOwner={isOwner} />
        </Suspense>
      )}
      {isGone && cancelled === undefined && (
        <Empty text={t('tracking.noSuchDelivery')} art="nothing-found" hint={t('tracking.noSuchDeliveryHint')} />
      )}
      {deliveries !== undefined && lead !== undefined && (
        <>
          <TrackingMap delivery={lead} />
          {showRest && <OrderSummary deliveries={deliveries} lead={lead} />}
        </>
      )}
    </Page>
  )
}
