import { Badge, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react'

import type { Delivery, Order } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'
import { statusLabel } from '@/ui/StatusBadge'

import classes from './board.module.css'
import { ColumnChoice } from './ColumnChoice'
import { useKitchenMode } from './kitchen-mode'
import { useShownColumns } from './shown-columns'
import { keyOf, printMarksQuery } from './print-marks'
import { stepBetweenCards } from './step-between-cards'
import { TicketCard } from './TicketCard'
import { useTicketNumbers } from './ticket-numbers'
import { ticketsOf } from './tickets'
import type { OrderControlsProps } from './use-order-controls'

/** The keys 1 to 9. */
const KEYS = 9

interface Props {
  /** Every open order, and the newest delivered ones. */
  orders: Order[]
  deliveries: Delivery[]
  /** The ids of the newest orders. */
  newOrders: ReadonlySet<string>
  controlsProps: (order: Order) => OrderControlsProps
  onUndo: () => void
}

/** The tickets in columns by status, those that are due first at the top. */
export const OrdersBoard = memo(Board)

function Board({ orders, deliveries, newOrders, controlsProps, onUndo }: Props) {
  const t = useTexts()
  const inKitchen = useKitchenMode()
  const [current, setCurrent] = useState<string | null>(null)
  // The card that had the focus keeps it when it moves to another column.
  const focusedOrder = useRef<string | null>(null)
  const focusedRow = useRef(0)
  const tickets = ticketsOf(orders, deliveries)
  const { data: marks } = useQuery(printMarksQuery())
  const { columns: statuses, only, choose } = useShownColumns(inKitchen)
  const columns = statuses.map((status) => {
    const column = tickets.filter((ticket) => ticket.status === status)
    return { status, tickets: status === 'delivered' ? column.toReversed() : column }
  })
  const shownColumns = columns.filter(({ status }) => only === null || status === only)
  const shown = shownColumns.flatMap((column) => column.tickets)
  const tabStop = shown.some(({ orders: [first] }) => first._id === current) ? current : shown[0]?.orders[0]._id

  const board = useRef<HTMLDivElement>(null)
  // A keypad has a row of keys for each column's first tickets.
  const numbered = inKitchen ? Math.floor(KEYS / shownColumns.length) : 0
  useTicketNumbers(inKitchen, board)
  // Where its column is not shown, the card that had the focus leaves it to the one in its place.
  useEffect(() => {
    const isGone = focusedOrder.current !== null && !shown.some(({ orders }) => orders.some(({ _id }) => _id === focusedOrder.current))
    if (only === null || !isGone || document.activeElement !== document.body) return
    const cards = [...(board.current?.querySelectorAll<HTMLElement>('[data-card]') ?? [])]
    cards[Math.min(focusedRow.current, cards.length - 1)]?.focus()
  })

  return (
    <>
      {only !== null && (
        <ColumnChoice
          columns={columns}
          chosen={only}
          onChoose={(status) => {
            focusedOrder.current = null
            choose(status)
          }}
        />
      )}
      <div
        ref={board}
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
          const column = card?.closest('[data-column]')?.querySelectorAll('[data-card]') ?? []
          focusedRow.current = Math.max(0, [...column].findIndex((one) => one === card))
        }}
      >
        {shownColumns.map(({ status, tickets: cards }, at) => (
          <section key={status} className={classes.column} data-column={status} aria-label={statusLabel(status)}>
            <Title order={2} className={classes.heading ?? ''}>
              {statusLabel(status)}
              <Badge variant="light" color="gray" size="sm">
                {cards.length}
              </Badge>
            </Title>
            {cards.map((ticket, row) => (
              <TicketCard
                key={ticket.id}
                ticket={ticket}
                isNew={ticket.orders.some(({ _id }) => newOrders.has(_id))}
                controls={controlsProps(ticket.orders[0])}
                controlsProps={controlsProps}
                isTabStop={ticket.orders[0]._id === tabStop}
                number={row < numbered ? at * numbered + row + 1 : null}
                mark={marks?.get(keyOf(ticket.orders[0]))}
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
    </>
  )
}
