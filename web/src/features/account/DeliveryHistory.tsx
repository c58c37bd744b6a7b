import { Button, Card, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'

import { deliveriesQuery } from '@/api/deliveries'
import type { Delivery } from '@/api/generated/types.gen'
import { clockText, dateTimeText, rupees } from '@/lib/format'
import { Picture } from '@/ui/Picture'
import { Empty, Failure, Loading } from '@/ui/states'
import { StatusBadge } from '@/ui/StatusBadge'

import classes from './account.module.css'

interface RowProps {
  delivery: Delivery
  selected: boolean
  onToggle: () => void
}

function Row({ delivery, selected, onToggle }: RowProps) {
  const underWay = delivery.status !== 'delivered'
  return (
    <li className={classes.row} data-testid="delivery-row" data-order={delivery.orderId}>
      <Picture src={delivery.itemImage} alt="" kind="dish" width={72} height={60} />
      <div className={classes.what}>
        <Text fw={600}>{delivery.orderName}</Text>
        <Text size="sm" c="dimmed">
          {delivery.driverName ?? 'Driver'}
          {delivery.driverPhone && underWay ? ` · ${delivery.driverPhone}` : ''}
        </Text>
        <Text size="xs" c="dimmed">
          {underWay ? `Expected by ${clockText(delivery.estimatedTime)}` : dateTimeText(delivery.timestamp)}
          {' · '}
          {rupees(delivery.total)} · {delivery.orderId}
        </Text>
      </div>
      <StatusBadge status={delivery.status} />
      <Button
        size="xs"
        variant={selected ? 'filled' : 'light'}
        aria-pressed={selected}
        aria-label={`${selected ? 'Hide' : 'Show'} map for ${delivery.orderId}`}
        onClick={onToggle}
      >
        {selected ? 'Hide map' : 'Show map'}
      </Button>
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
  const [params, setParams] = useSearchParams()
  const { data, isPending, isError, refetch } = useQuery(deliveriesQuery())
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
    <Card component="section" withBorder padding="lg" className={classes.card} aria-label="Delivery history">
      <Stack gap="sm">
        <Title order={2}>Delivery history</Title>
        {isPending && <Loading />}
        {isError && <Failure message="Could not fetch delivery history." retry={() => void refetch()} />}
        {data !== undefined && own.length === 0 && (
          <Empty text="No deliveries yet." art="empty-list" hint="When a restaurant confirms an order, its driver shows here." />
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
