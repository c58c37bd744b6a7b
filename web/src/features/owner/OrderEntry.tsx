import { Button, Card, Group, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'

import type { Driver, Order } from '@/api/generated/types.gen'
import { dateTimeText, rupees } from '@/lib/format'
import { StatusBadge } from '@/ui/StatusBadge'

import { DriverSelect, StatusSelect } from './controls'
import { Description, Items } from './details'
import classes from './owner.module.css'
import type { OwnerStatus } from './status'

interface Props {
  order: Order
  drivers: Driver[]
  busy: boolean
  onSet: (order: Order, status: OwnerStatus, driverId: string | null) => void
}

/** What a row and a card have in common: the picked driver, what is unfolded, the controls. */
function useEntry({ order, drivers, busy, onSet }: Props) {
  const [choice, setPicked] = useState<string | null>(null)
  // A driver who was free when picked may have gone since.
  const picked = drivers.some((driver) => driver._id === choice && driver.isAvailable) ? choice : null
  const [described, setDescribed] = useState(false)
  const [itemised, setItemised] = useState(false)
  return {
    described,
    itemised,
    driver: <DriverSelect order={order} drivers={drivers} picked={picked} onPick={setPicked} />,
    status: (
      <StatusSelect
        order={order}
        busy={busy}
        onSet={(status) => {
          onSet(order, status, picked)
        }}
      />
    ),
    descriptionToggle: (
      <Button
        size="compact-xs"
        variant="subtle"
        aria-expanded={described}
        onClick={() => {
          setDescribed(!described)
        }}
      >
        {described ? 'Hide Description' : 'Show Description'}
      </Button>
    ),
    itemsToggle: (
      <Button
        size="compact-xs"
        variant="subtle"
        aria-expanded={itemised}
        onClick={() => {
          setItemised(!itemised)
        }}
      >
        {itemised ? 'Hide Items' : 'View Items'}
      </Button>
    ),
  }
}

export function OrderRow(props: Props) {
  const { order } = props
  const entry = useEntry(props)
  return (
    <>
      <Table.Tr data-testid="order-row" data-order={order.orderId}>
        <Table.Td className={classes.code}>{order.orderId}</Table.Td>
        <Table.Td className={classes.email} title={order.email}>
          {order.email}
        </Table.Td>
        <Table.Td className={classes.tight}>{dateTimeText(order.createdAt)}</Table.Td>
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
            {entry.itemsToggle}
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

export function OrderCard(props: Props) {
  const { order } = props
  const entry = useEntry(props)
  return (
    <Card
      component="article"
      withBorder
      className={classes.card}
      data-testid="order-row"
      data-order={order.orderId}
      aria-label={`Order ${order.orderId}`}
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
          <Text size="sm">Count: {order.quantity}</Text>
        </Group>
        <Group grow gap="xs">
          {entry.driver}
          {entry.status}
        </Group>
        <Group gap="xs">
          {entry.descriptionToggle}
          {entry.itemsToggle}
        </Group>
        {entry.described && <Description order={order} />}
        {entry.itemised && <Items order={order} />}
      </Stack>
    </Card>
  )
}
