import { Badge, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'

import { deliveriesQuery } from '@/api/deliveries'
import type { Order } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'
import { useEverySecond } from '@/lib/use-every-second'
import { statusLabel } from '@/ui/StatusBadge'

import classes from './board.module.css'
import { useKitchenMode } from './kitchen-mode'
import { statuses } from './status'
import { stepBetweenCards } from './step-between-cards'
import { TicketCard } from './TicketCard'
import { ticketsOf } from './tickets'
import type { OrderControlsProps } from './use-order-controls'

/** Milliseconds between two readings of the clock: ages are in minutes. */
const TICK = 10_000

interface Props {
  /** Every open order, and the newest delivered ones. */
  orders: Order[]
  controlsProps: (order: Order) => OrderControlsProps
  onUndo: () => void
}

/** The tickets in columns by status, those that are due first at the top. */
export function OrdersBoard({ orders, controlsProps, onUndo }: Props) {
  const t = useTexts()
  const now = useEverySecond(() => Math.floor(Date.now() / TICK) * TICK)
  const inKitchen = useKitchenMode()
  const { data: deliveries } = useQuery(deliveriesQuery())
  const [current, setCurrent] = useState<string | null>(null)
  // The card that had the focus keeps it when it moves to another column.
  const focusedOrder = useRef<string | null>(null)
  const tickets = ticketsOf(orders, deliveries ?? [])
  const columns = statuses.map((status) => {
    const column = tickets.filter((ticket) => ticket.status === status)
    return { status, tickets: status === 'delivered' ? column.toReversed() : column }
  })
  const shown = columns.flatMap((column) => column.tickets)
  const tabStop = shown.some(({ orders: [first] }) => first._id === current) ? current : shown[0]?.orders[0]._id

  return (
    <div
      className={classes.board}
      data-kitchen={inKitchen || undefined}
      onKeyDown={(event: KeyboardEvent<HTMLElement>) => {
        const isOnCard = event.target instanceof HTMLElement && event.target.dataset.card !== undefined
        if (!isOnCard || event.ctrlKey || event.metaKey || event.altKey) return
        if (event.key === 'u') onUndo()
        else stepBetweenCards(event)
      }}
      onFocus={(event) => {
        const card = event.target.closest<HTMLElement>('[data-card]')
        focusedOrder.current = card?.dataset.card ?? null
        setCurrent(focusedOrder.current)
      }}
    >
      {columns.map(({ status, tickets: cards }) => (
        <section key={status} className={classes.column} data-column={status} aria-label={statusLabel(status)}>
          <Title order={2} className={classes.heading ?? ''}>
            {statusLabel(status)}
            <Badge variant="light" color="gray" size="sm">
              {cards.length}
            </Badge>
          </Title>
          {cards.map((ticket) => (
            <TicketCard
              key={ticket.id}
              ticket={ticket}
              now={now}
              controlsProps={controlsProps}
              isTabStop={ticket.orders[0]._id === tabStop}
              onMount={(card) => {
                const hadFocus = ticket.orders.some(({ _id }) => _id === focusedOrder.current)
                if (hadFocus && document.activeElement === document.body) card.focus()
              }}
            />
          ))}
          {cards.length === 0 && (
            <Text size="sm" c="dimmed">
              {t('owner.columnEmpty')}
            </Text>
          )}
          {status === 'delivered' && cards.length > 0 && (
            <Text size="sm" c="dimmed">
              {t('owner.olderInTable')}
            </Text>
          )}
        </section>
      ))}
    </div>
  )
}
