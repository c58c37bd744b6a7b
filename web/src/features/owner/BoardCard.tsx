import { Button, Group, Text } from '@mantine/core'
import type { KeyboardEvent } from 'react'

import { agoText, rupees } from '@/lib/format'
import { useTexts } from '@/lib/texts'

import { useArrivals } from './arrivals'
import classes from './board.module.css'
import { Description, Items } from './details'
import { type EntryProps, useEntry } from './entry'
import { isSettled, nextOf } from './status'

interface Props extends EntryProps {
  /** True if Tab leads here; arrows lead to all others. */
  reachable: boolean
  onMount: (card: HTMLElement) => void
}

/** An order on the board: its next step is one click or one press of Enter away. */
export function BoardCard({ reachable, onMount, ...props }: Props) {
  const { order, candidates, busy } = props
  const t = useTexts()
  const entry = useEntry(props)
  const isNew = useArrivals().has(order._id)
  const next = nextOf(order.status)
  const step = () => {
    if (next !== null && !busy) entry.set(next)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const modified = event.ctrlKey || event.metaKey || event.altKey
    if (event.target !== event.currentTarget || modified) return
    const actions: Record<string, () => void> = {
      Enter: step,
      i: () => { entry.setItemised(!entry.itemised) },
      d: () => { entry.setDescribed(!entry.described) },
      Delete: () => { props.onDelete(order) },
    }
    const candidate = candidates[Number(event.key) - 1]
    const action = actions[event.key] ?? (candidate && (() => { entry.setPicked(candidate._id) }))
    if (action === undefined) return
    event.preventDefault()
    action()
  }

  return (
    <article
      ref={(card) => {
        if (card !== null) onMount(card)
      }}
      className={classes.card}
      tabIndex={reachable ? 0 : -1}
      data-card={order._id}
      data-testid="order-card"
      data-order={order.orderId}
      data-new={isNew || undefined}
      aria-label={t('owner.order', { order: order.orderId })}
      aria-keyshortcuts="Enter I D Delete 1 2 3"
      onKeyDown={onKeyDown}
    >
      <Group justify="space-between" gap={4}>
        <Text className={classes.code}>{order.orderId}</Text>
        <Text size="xs" c="dimmed">
          {agoText(order.createdAt)}
        </Text>
      </Group>
      <Text fw={650} lineClamp={2}>
        {order.quantity} × {order.Item_name}
      </Text>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" c="dimmed" truncate>
          {order.customerName ?? order.email}
        </Text>
        <Text size="sm" fw={600} className={classes.amount}>
          {rupees(order.totalAmount)}
        </Text>
      </Group>
      {isSettled(order) ? order.driverName && <Text size="sm">{order.driverName}</Text> : entry.driver}
      {next !== null && (
        <Button size="sm" loading={busy} onClick={step}>
          {t(`owner.${next}Step`)}
        </Button>
      )}
      {entry.status}
      <Group gap={2}>
        {entry.itemsToggle}
        {entry.descriptionToggle}
        {entry.remove}
      </Group>
      {entry.described && <Description order={order} />}
      {entry.itemised && <Items order={order} />}
    </article>
  )
}
