import { Button, Group, Text } from '@mantine/core'
import type { KeyboardEvent } from 'react'

import { agoText, rupees } from '@/lib/format'
import { useTexts } from '@/lib/texts'

import { useNewOrders } from './new-orders'
import classes from './board.module.css'
import { OrderDescription, OrderItems } from './order-details'
import { type OrderControlsProps, useOrderControls } from './use-order-controls'
import { isDriverFixed, nextStatus } from './status'

interface Props extends OrderControlsProps {
  /** True if Tab leads here; arrows lead to all others. */
  isTabStop: boolean
  onMount: (card: HTMLElement) => void
}

/** An order on the board: its next step is one click or one press of Enter away. */
export function BoardCard({ isTabStop, onMount, ...props }: Props) {
  const { order, nearbyDrivers, busy } = props
  const t = useTexts()
  const controls = useOrderControls(props)
  const isNew = useNewOrders().has(order._id)
  const next = nextStatus(order.status)
  const advance = () => {
    if (next !== null && !busy) controls.setStatus(next)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const modified = event.ctrlKey || event.metaKey || event.altKey
    if (event.target !== event.currentTarget || modified) return
    const actions: Record<string, () => void> = {
      Enter: advance,
      i: () => { controls.setItemsOpen(!controls.areItemsOpen) },
      d: () => { controls.setDescriptionOpen(!controls.isDescriptionOpen) },
      Delete: () => { props.onDelete(order) },
    }
    const candidate = nearbyDrivers[Number(event.key) - 1]
    const action = actions[event.key] ?? (candidate && (() => { controls.setSelected(candidate._id) }))
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
      tabIndex={isTabStop ? 0 : -1}
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
      {isDriverFixed(order) ? order.driverName && <Text size="sm">{order.driverName}</Text> : controls.driver}
      {next !== null && (
        <Button size="sm" loading={busy} onClick={advance}>
          {t(`owner.${next}Step`)}
        </Button>
      )}
      {controls.status}
      <Group gap={2}>
        {controls.itemsToggle}
        {controls.descriptionToggle}
        {controls.remove}
      </Group>
      {controls.isDescriptionOpen && <OrderDescription order={order} />}
      {controls.areItemsOpen && <OrderItems order={order} />}
    </article>
  )
}
