import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'

import { deliveriesQuery } from '@/api/deliveries'
import type { Delivery, Order } from '@/api/generated/types.gen'
import { ordersQuery } from '@/api/orders'
import { clockRangeText } from '@/lib/clock-range'
import { clockText, dateTimeText, rupees } from '@/lib/format'
import { paths } from '@/lib/paths'
import { text, useTexts } from '@/lib/texts'
import { Picture } from '@/ui/Picture'
import { Empty, Failure, Loading } from '@/ui/states'
import { StatusBadge } from '@/ui/StatusBadge'

import classes from './account.module.css'
import { useReorder } from './reorder'

/** The time in which it should arrive; without one, the promised time. */
function arrivalText({ earliestArrival, latestArrival, promisedTime }: Delivery): string {
  return earliestArrival && latestArrival
    ? text('account.arriving', { range: clockRangeText(earliestArrival, latestArrival) })
    : text('account.expectedBy', { time: clockText(promisedTime) })
}

interface RowProps {
  delivery: Delivery
  order: Order | undefined
  selected: boolean
  onToggle: () => void
}

function Row({ delivery, order, selected, onToggle }: RowProps) {
  const t = useTexts()
  const reorder = useReorder()
  const underWay = delivery.status !== 'delivered'
  const named = { order: delivery.orderId }
  return (
    <li className={classes.row} data-testid="delivery-row" data-order={delivery.orderId}>
      <Picture src={delivery.itemImage} alt="" kind="dish" width={72} height={60} />
      <div className={classes.what}>
        <Text fw={600}>{delivery.orderName}</Text>
        <Text size="sm" c="dimmed">
          {delivery.driverName ?? t('account.driver')}
          {delivery.driverPhone && underWay ? ` · ${delivery.driverPhone}` : ''}
        </Text>
        <Text size="xs" c="dimmed">
          {underWay ? arrivalText(delivery) : dateTimeText(delivery.timestamp)}
          {' · '}
          {rupees(delivery.total)} · <span className={classes.code}>{delivery.orderId}</span>
        </Text>
      </div>
      <StatusBadge status={delivery.status} />
      <Group gap="xs" className={classes.acts}>
        {underWay && (
          <Button
            component={Link}
            to={paths.track(delivery._id)}
            size="xs"
            variant="default"
            aria-label={t('account.trackOf', named)}
          >
            {t('account.track')}
          </Button>
        )}
        {!underWay && order !== undefined && (
          <Button
            size="xs"
            variant="default"
            aria-label={t('account.reorderNamed', { name: delivery.orderName })}
            onClick={() => {
              reorder(order)
            }}
          >
            {t('account.reorder')}
          </Button>
        )}
        <Button
          size="xs"
          variant={selected ? 'filled' : 'light'}
          aria-pressed={selected}
          aria-label={t(selected ? 'account.hideMapOf' : 'account.showMapOf', named)}
          onClick={onToggle}
        >
          {t(selected ? 'account.hideMap' : 'account.showMap')}
        </Button>
      </Group>
    </li>
  )
}

/** The map may open above or below what is on the screen; a page that was just entered starts at its top. */
function bringIntoView(node: HTMLElement | null) {
  requestAnimationFrame(() => node?.scrollIntoView({ block: 'start' }))
}

interface Props {
  email: string
  /** Draws the live map of one delivery. */
  map: (delivery: Delivery) => ReactNode
}

/** The customer's deliveries, and the map of the one that the URL names. */
export function DeliveryHistory({ email, map }: Props) {
  const t = useTexts()
  const [params, setParams] = useSearchParams()
  const { data, isPending, isError, refetch } = useQuery(deliveriesQuery())
  const orders = useQuery(ordersQuery())
  const own = data?.filter((delivery) => delivery.customerEmail.toLowerCase() === email.toLowerCase()) ?? []
  const selected = own.find((delivery) => delivery._id === params.get('delivery'))
  const select = (id: string | null) => {
    setParams(
      (before) => {
        if (id === null) before.delete('delivery')
        else before.set('delivery', id)
        return before
      },
      { replace: true, preventScrollReset: true },
    )
  }

  return (
    <Card component="section" withBorder padding="lg" className={classes.card} aria-label={t('account.deliveryHistory')}>
      <Stack gap="sm">
        <Title order={2}>{t('account.deliveryHistory')}</Title>
        {isPending && <Loading />}
        {isError && <Failure message={t('account.historyFailed')} retry={() => void refetch()} />}
        {data !== undefined && own.length === 0 && (
          <Empty text={t('account.noDeliveries')} art="empty-list" hint={t('account.noDeliveriesHint')} />
        )}
        {selected !== undefined && (
          <div key={selected._id} ref={bringIntoView} className={classes.map}>
            {map(selected)}
          </div>
        )}
        <ul className={classes.list}>
          {own.map((delivery) => (
            <Row
              key={delivery._id}
              delivery={delivery}
              order={orders.data?.find((order) => order.orderId === delivery.orderId)}
              selected={delivery === selected}
              onToggle={() => {
                select(delivery === selected ? null : delivery._id)
              }}
            />
          ))}
        </ul>
      </Stack>
    </Card>
  )
}
