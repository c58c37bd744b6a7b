import { Badge, Text, Title } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'

import type { Order } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'
import { statusLabel } from '@/ui/StatusBadge'

import { BoardCard } from './BoardCard'
import classes from './board.module.css'
import type { OrderControlsProps } from './use-order-controls'
import { statuses } from './status'

/** The number of delivered orders on the board; the table has all of them. */
const DELIVERED = 15

interface Props {
  orders: Order[]
  controlsProps: (order: Order) => OrderControlsProps
}

/** The orders in columns by status: the longest waiting first, of the delivered ones the newest first. */
export function OrdersBoard({ orders, controlsProps }: Props) {
  const t = useTexts()
  const [current, setCurrent] = useState<string | null>(null)
  // The card that had the focus keeps it when it moves to another column.
  const focusedCard = useRef<string | null>(null)
  const columns = statuses.map((status) => {
    const all = orders.filter((order) => order.status === status)
    return { status, count: all.length, shown: status === 'delivered' ? all.slice(0, DELIVERED) : all.toReversed() }
  })
  const shown = columns.flatMap((column) => column.shown)
  const tabStop = shown.some(({ _id }) => _id === current) ? current : shown[0]?._id

  return (
    <div
      className={classes.board}
      onKeyDown={stepBetweenCards}
      onFocus={(event) => {
        const card = event.target.closest<HTMLElement>('[data-card]')
        focusedCard.current = card?.dataset.card ?? null
        setCurrent(focusedCard.current)
      }}
    >
      {columns.map(({ status, count, shown: cards }) => (
        <section key={status} className={classes.column} data-column={status} aria-label={statusLabel(status)}>
          <Title order={2} className={classes.heading ?? ''}>
            {statusLabel(status)}
            <Badge variant="light" color="gray" size="sm">
              {count}
            </Badge>
          </Title>
          {cards.map((order) => (
            <BoardCard
              key={order._id}
              {...controlsProps(order)}
              isTabStop={order._id === tabStop}
              onMount={(card) => {
                if (focusedCard.current === order._id && document.activeElement === document.body) card.focus()
              }}
            />
          ))}
          {count === 0 && (
            <Text size="sm" c="dimmed">
              {t('owner.columnEmpty')}
            </Text>
          )}
          {count > cards.length && (
            <Text size="sm" c="dimmed">
              {t('owner.moreInTable', { count: count - cards.length })}
            </Text>
          )}
        </section>
      ))}
    </div>
  )
}

/** Arrows go to the card above, below, or in the next column that has any. */
function stepBetweenCards(event: KeyboardEvent<HTMLElement>) {
  const { key, target, currentTarget } = event
  if (!(target instanceof HTMLElement) || target.dataset.card === undefined) return
  const columns = [...currentTarget.querySelectorAll<HTMLElement>('[data-column]')].map((column) => [
    ...column.querySelectorAll<HTMLElement>('[data-card]'),
  ])
  const at = columns.findIndex((cards) => cards.includes(target))
  const own = columns[at] ?? []
  const row = own.indexOf(target)
  const beside = (found: HTMLElement[] | undefined) => found?.[Math.min(row, found.length - 1)]
  const filled = (cards: HTMLElement[]) => cards.length > 0
  const goals: Record<string, () => HTMLElement | undefined> = {
    ArrowUp: () => own[row - 1],
    ArrowDown: () => own[row + 1],
    ArrowLeft: () => beside(columns.slice(0, at).findLast(filled)),
    ArrowRight: () => beside(columns.slice(at + 1).find(filled)),
    Home: () => own[0],
    End: () => own.at(-1),
  }
  const goal = goals[key]?.()
  if (goal === undefined) return
  event.preventDefault()
  goal.focus()
}
