import { Card, Group, Stack, Table, Text } from '@mantine/core'

import { dateTimeText, rupees } from '@/lib/format'
import { useTexts } from '@/lib/texts'
import { StatusBadge } from '@/ui/StatusBadge'

import { Description, Items } from './details'
import { type EntryProps, useEntry } from './entry'
import classes from './owner.module.css'

/** An order as a row of the table, and below it what is unfolded. */
export function OrderRow(props: EntryProps) {
  const { order } = props
  const entry = useEntry(props)
  return (
    <>
      <Table.Tr data-testid="order-row" data-order={order.orderId}>
        <Table.Td className={classes.code}>{order.orderId}</Table.Td>
        <Table.Td className={classes.email} title={order.email}>
          {order.email}
        </Table.Td>
        <Table.Td className={classes.date}>{dateTimeText(order.createdAt)}</Table.Td>
        <Table.Td className={classes.amount}>{rupees(order.totalAmount)}</Table.Td>
        <Table.Td ta="center">{order.quantity}</Table.Td>
        <Table.Td>
          <StatusBadge status={order.status} />
        </Table.Td>
        <Table.Td miw={150}>{entry.driver}</Table.Td>
        <Table.Td>{entry.descriptionToggle}</Table.Td>
        <Table.Td miw={130}>
          <Stack gap={4} align="stretch">
            {entry.status}
            <Group gap={2} justify="space-between" wrap="nowrap">
              {entry.itemsToggle}
              {entry.remove}
            </Group>
          </Stack>
        </Table.Td>
      </Table.Tr>
      {(entry.described || entry.itemised) && (
        <Table.Tr className={classes.unfolded}>
          <Table.Td colSpan={9}>
            <Group gap={48} align="start" px="xs" py={4}>
              {entry.described && <Description order={order} />}
              {entry.itemised && <Items order={order} />}
            </Group>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}

/** The same where there is no room for a table. */
export function OrderCard(props: EntryProps) {
  const { order } = props
  const t = useTexts()
  const entry = useEntry(props)
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
        <Group justify="space-between" gap={4}>
          <Text size="sm" c="dimmed" truncate>
            {order.email}
          </Text>
          <Text size="sm" c="dimmed">
            {dateTimeText(order.createdAt)}
          </Text>
        </Group>
        <Group justify="space-between">
          <Text fw={700}>{rupees(order.totalAmount)}</Text>
          <Text size="sm">{t('owner.countOf', { count: order.quantity })}</Text>
        </Group>
        <Group grow gap="xs">
          {entry.driver}
          {entry.status}
        </Group>
        <Group gap="xs">
          {entry.descriptionToggle}
          {entry.itemsToggle}
          {entry.remove}
        </Group>
        {entry.described && <Description order={order} />}
        {entry.itemised && <Items order={order} />}
      </Stack>
    </Card>
  )
}
