import { Button, Card, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useDeferredValue, useState } from 'react'
import { Link, useParams } from 'react-router'

import { deliveriesQuery } from '@/api/deliveries'
import type { Delivery } from '@/api/generated/types.gen'
import { ordersQuery } from '@/api/orders'
import { messageOf } from '@/api/problem'
import { rupees } from '@/lib/format'
import { lazyPart } from '@/lib/lazy-part'
import { paths } from '@/lib/paths'
import { useAfterFirstRender } from '@/lib/render-timing'
import { useSessionUser } from '@/lib/session'
import { loadTexts, useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Picture } from '@/ui/Picture'
import { Empty, Failure, Loading } from '@/ui/states'
import { statusLabel } from '@/ui/StatusBadge'

import classes from './tracking.module.css'
import { TrackingMap } from './TrackingMap'

/** The order, and its destination. */
function OrderSummary({ delivery }: { delivery: Delivery }) {
  const t = useTexts()
  return (
    <Card component="section" withBorder padding="md" className={classes.orderSummary} aria-label={t('tracking.whatIsBrought')}>
      <Group gap="md" wrap="nowrap">
        <Picture src={delivery.itemImage} alt="" kind="dish" width={72} height={60} />
        <div className={classes.text}>
          <Text fw={600}>{t('tracking.quantityOf', { quantity: delivery.qty, name: delivery.orderName })}</Text>
          <Text size="sm" c="dimmed">
            {rupees(delivery.total)} · {delivery.orderId}
          </Text>
          {delivery.address && <Text size="sm">{t('tracking.broughtTo', { address: delivery.address })}</Text>}
        </div>
      </Group>
    </Card>
  )
}

// Few orders are cancelled: a first visit fetches neither this nor its texts.
const CancelledOrder = lazyPart(async () => {
  const [module] = await Promise.all([import('./CancelledOrder'), loadTexts('cancellation')])
  return { default: module.CancelledOrder }
})

/** One delivery by its URL, followed live. A cancelled order has none any more; its reason takes the place. */
export function TrackPage() {
  const t = useTexts()
  const { id = '' } = useParams()
  const isOwner = useSessionUser()?.role === 'restaurant'
  const { data: known, error, refetch } = useQuery(deliveriesQuery())
  // Drawn in small pieces, between which the browser can answer a touch.
  const data = useDeferredValue(known)
  const delivery = data?.find((one) => one._id === id || one.orderId === id)
  // An order's code leads here, too.
  const [code, setCode] = useState(id)
  if (delivery !== undefined && delivery.orderId !== code) setCode(delivery.orderId)
  const isGone = data !== undefined && delivery === undefined
  const { data: orders } = useQuery({ ...ordersQuery(), enabled: isGone })
  const cancelled = isGone ? orders?.find(({ orderId, status }) => orderId === code && status === 'cancelled') : undefined
  const status = delivery?.status ?? cancelled?.status
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
      {delivery !== undefined && (
        <>
          <TrackingMap delivery={delivery} />
          {showRest && <OrderSummary delivery={delivery} />}
        </>
      )}
    </Page>
  )
}
