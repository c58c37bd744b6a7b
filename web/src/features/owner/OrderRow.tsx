import { Card, Group, Stack, Table, Text } from '@mantine/core'

import { dateTimeText, moneyText } from '@/lib/format'
import { useTexts } from '@/lib/texts'
import { PaidBadge } from '@/ui/PaidBadge'
import { StatusBadge } from '@/ui/StatusBadge'

import { OrderDescription, OrderItems } from './order-details'
import { type OrderControlsProps, useOrderControls } from './use-order-controls'
import classes from './owner.module.css'

/** An order as a row of the table, and below it what is expanded. */
export function OrderRow(props: OrderControlsProps) {
  const { order } = props
  const controls = useOrderControls(props)
  return (
    <>
      <Table.Tr data-testid="order-row" data-order={order.orderId}>
        <Table.Td>
          <Text className={classes.code}>{order.orderId}</Text>
          <Text className={classes.restaurant ?? ''}>{order.restaurantName}</Text>
        </Table.Td>
        <Table.Td className={classes.email} title={order.email}>
          {order.email}
        </Table.Td>
        <Table.Td className={classes.date}>{dateTimeText(order.createdAt)}</Table.Td>
        <Table.Td className={classes.amount}>{moneyText(order.totalAmount)}</Table.Td>
        <Table.Td ta="center">{order.quantity}</Table.Td>
        <Table.Td>
          <Stack gap={4} align="start">
            <StatusBadge status={order.status} />
            <PaidBadge order={order} />
          </Stack>
        </Table.Td>
        <Table.Td miw={150}>
          {controls.driver}
          {controls.suggest}
        </Table.Td>
        <Table.Td>{controls.descriptionToggle}</Table.Td>
        <Table.Td miw={130}>
          <Stack gap={4} align="stretch">
            {controls.status}
            <Group gap={2} justify="space-between" wrap="nowrap">
              {controls.itemsToggle}
              {controls.remove}
            </Group>
            {controls.cancel}
            {controls.refund}
          </Stack>
        </Table.Td>
      </Table.Tr>
      {(controls.isDescriptionOpen || controls.areItemsOpen) && (
        <Table.Tr className={classes.expanded}>
          <Table.Td colSpan={9}>
            <Group gap={48} align="start" px="xs" py={4}>
              {controls.isDescriptionOpen && <OrderDescription order={order} />}
              {controls.areItemsOpen && <OrderItems order={order} />}
            </Group>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}

/** An order as a card, where there is no room for a table. */
export function OrderCard(props: OrderControlsProps) {
  const { order } = props
  const t = useTexts()
  const controls = useOrderControls(props)
  return (
    <Card
      component="article"
      withBorder
      className={classes.card}
      data-testid="order-row"
      data-order={order.orderId}
      aria-label={t('owner.order', { order: order.orderId })}
    >
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Text className={classes.code}>{order.orderId}</Text>
          <StatusBadge status={order.status} />
        </Group>
        <Text size="sm">{order.restaurantName}</Text>
        <Group justify="space-between" gap={4}>
          <Text size="sm" c="dimmed" truncate>
            {order.email}
          </Text>
          <Text size="sm" c="dimmed">
            {dateTimeText(order.createdAt)}
          </Text>
        </Group>
        <Group justify="space-between">
          <Group gap="xs">
            <Text fw={700}>{moneyText(order.totalAmount)}</Text>
            <PaidBadge order={order} />
          </Group>
          <Text size="sm">{t('owner.countOf', { count: order.quantity })}</Text>
        </Group>
        <Group grow gap="xs">
          {controls.driver}
          {controls.status}
        </Group>
        <Group gap="xs">
          {controls.suggest}
          {controls.descriptionToggle}
          {controls.itemsToggle}
          {controls.cancel}
          {controls.refund}
          {controls.remove}
        </Group>
        {controls.isDescriptionOpen && <OrderDescription order={order} />}
        {controls.areItemsOpen && <OrderItems order={order} />}
      </Stack>
    </Card>
  )
}
