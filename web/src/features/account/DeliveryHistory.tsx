import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'

import { deliveriesQuery } from '@/api/deliveries'
import type { Delivery, Order } from '@/api/generated/types.gen'
import { ordersQuery } from '@/api/orders'
import { byTicket, codesOf, leadOf, shortCode, type TicketDeliveries } from '@/api/tickets'
import { clockRangeText } from '@/lib/clock-range'
import { clockText, dateTimeText, moneyText } from '@/lib/format'
import { paths } from '@/lib/paths'
import { text, useTexts } from '@/lib/texts'
import { Picture } from '@/ui/Picture'
import { RefundNote } from '@/ui/RefundNote'
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
  ticket: TicketDeliveries
  orders: Order[]
  selected: boolean
  onToggle: () => void
}

/** The deliveries that one driver brings together: all dishes, one status and one arrival. */
function Row({ ticket, orders, selected, onToggle }: RowProps) {
  const t = useTexts()
  const reorder = useReorder()
  const delivery = leadOf(ticket)
  const underWay = delivery.status !== 'delivered'
  const named = { order: codesOf(ticket) }
  return (
    <li className={classes.row} data-testid="delivery-row" data-order={codesOf(ticket)}>
      <Picture src={ticket[0].itemImage} alt="" kind="dish" width={72} height={60} />
      <div className={classes.what}>
        <Text fw={600}>{ticket.map(({ orderName }) => orderName).join(', ')}</Text>
        <Text size="sm" c="dimmed">
          {delivery.driverName ?? t('account.driver')}
          {delivery.driverPhone && underWay ? ` · ${delivery.driverPhone}` : ''}
        </Text>
        <Text size="xs" c="dimmed">
          {underWay ? arrivalText(delivery) : dateTimeText(delivery.timestamp)}
          {' · '}
          {moneyText(ticket.reduce((sum, { total }) => sum + total, 0))} · <span className={classes.code}>{shortCode(ticket)}</span>
        </Text>
        <RefundNote refunds={orders.flatMap(({ refunds }) => refunds)} />
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
        {!underWay && orders.length > 0 && (
          <Button
            size="xs"
            variant="default"
            aria-label={t('account.reorderNamed', { name: ticket.map(({ orderName }) => orderName).join(', ') })}
            onClick={() => {
              reorder(orders)
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
  const tickets = byTicket(own)
  // A link may name any of the deliveries.
  const selected = tickets.find((ticket) => ticket.some(({ _id }) => _id === params.get('delivery')))
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
          <div key={selected[0]._id} ref={bringIntoView} className={classes.map}>
            {map(leadOf(selected))}
          </div>
        )}
        <ul className={classes.list}>
          {tickets.map((ticket) => (
            <Row
              key={ticket[0]._id}
              ticket={ticket}
              orders={orders.data?.filter(({ orderId }) => ticket.some((delivery) => delivery.orderId === orderId)) ?? []}
              selected={ticket === selected}
              onToggle={() => {
                select(ticket === selected ? null : ticket[0]._id)
              }}
            />
          ))}
        </ul>
      </Stack>
    </Card>
  )
}
