import { Badge, Button, Card, Group, NativeSelect, Stack, Table, Text } from '@mantine/core'
import { IconCloudOff, IconCurrentLocation } from '@tabler/icons-react'

import type { Delivery, DeliveryStatus } from '@/api/generated/types.gen'
import { codesOf, shortCode, type TicketDeliveries } from '@/api/tickets'
import { clockText } from '@/lib/format'
import { useTexts } from '@/lib/texts'
import { isKnown } from '@/ui/map/geo'
import { StatusBadge } from '@/ui/StatusBadge'

import classes from './driver.module.css'

const statuses = [
  { value: 'picked up', text: 'driver.pickedUp' },
  { value: 'on the way', text: 'driver.onTheWay' },
  { value: 'delivered', text: 'driver.delivered' },
] as const

export interface EntryProps {
  /** The deliveries of a ticket that have one status. */
  deliveries: TicketDeliveries
  changing: boolean
  /** True while its status waits for the network. */
  isHeld: boolean
  locating: boolean
  declining: boolean
  onStatus: (deliveries: Delivery[], next: DeliveryStatus) => void
  onLocation: (deliveries: TicketDeliveries) => void
  onDecline: (deliveries: TicketDeliveries) => void
}

function StatusSelect({ deliveries, changing, onStatus }: EntryProps) {
  const t = useTexts()
  return (
    <NativeSelect
      size="sm"
      aria-label={t('driver.statusOf', { order: codesOf(deliveries) })}
      value={deliveries[0].status}
      disabled={changing}
      data={statuses.map(({ value, text }) => ({ value, label: t(text) }))}
      onChange={(event) => {
        const next = statuses.find(({ value }) => value === event.currentTarget.value)
        if (next !== undefined) onStatus(deliveries, next.value)
      }}
    />
  )
}

function LocationButton({ deliveries, locating, onLocation }: EntryProps) {
  const t = useTexts()
  return (
    <Button
      size="sm"
      variant="light"
      leftSection={<IconCurrentLocation size={17} />}
      loading={locating}
      disabled={deliveries[0].status === 'delivered'}
      aria-label={t('driver.updateLocationOf', { order: codesOf(deliveries) })}
      onClick={() => {
        onLocation(deliveries)
      }}
    >
      {t('driver.updateLocation')}
    </Button>
  )
}

/** Leaves the delivery to another driver, until this one sets out with it. */
function DeclineButton({ deliveries, declining, onDecline }: EntryProps) {
  const t = useTexts()
  if (deliveries[0].status !== 'picked up' || deliveries.every(({ declined }) => declined)) return null
  return (
    <Button
      size="sm"
      variant="subtle"
      color="red"
      loading={declining}
      aria-label={t('driver.declineOf', { order: codesOf(deliveries) })}
      onClick={() => {
        onDecline(deliveries)
      }}
    >
      {t('driver.decline')}
    </Button>
  )
}

function coordinate(delivery: Delivery, value: number): string {
  return isKnown(delivery) ? value.toFixed(5) : '–'
}

function DeliverySummary({ deliveries, isHeld }: EntryProps) {
  const t = useTexts()
  const [delivery] = deliveries
  const over = delivery.status === 'delivered'
  const due = over ? '' : ` · ${t('driver.dueBy', { time: clockText(delivery.promisedTime) })}`
  return (
    <>
      {deliveries.map(({ _id, orderName, qty }) => (
        <Text key={_id} size="sm" fw={600}>
          {orderName}
          {qty > 1 ? ` × ${qty}` : ''}
        </Text>
      ))}
      <Text size="xs" c="dimmed">
        {delivery.address ?? t('driver.noAddress')}
        {due}
      </Text>
      {deliveries.some(({ declined }) => declined) && delivery.status === 'picked up' && (
        <Text size="sm" c="var(--mantine-color-error)">
          {t('driver.declined')}
        </Text>
      )}
      {isHeld && (
        <Badge variant="light" color="amber" mt={4} maw="100%" leftSection={<IconCloudOff size={12} />}>
          {t('driver.waitsForNetwork')}
        </Badge>
      )}
    </>
  )
}

/** A delivery as a row of the table. */
export function DeliveryRow(props: EntryProps) {
  const { deliveries } = props
  const [delivery] = deliveries
  return (
    <Table.Tr data-testid="delivery-row" data-order={codesOf(deliveries)} data-status={delivery.status}>
      <Table.Td>
        <Text className={classes.code} title={codesOf(deliveries)}>
          {shortCode(deliveries)}
        </Text>
        <DeliverySummary {...props} />
      </Table.Td>
      <Table.Td miw={140}>
        <StatusSelect {...props} />
      </Table.Td>
      <Table.Td className={classes.figures}>{coordinate(delivery, delivery.lat)}</Table.Td>
      <Table.Td className={classes.figures}>{coordinate(delivery, delivery.lng)}</Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <LocationButton {...props} />
          <DeclineButton {...props} />
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}

/** A delivery as a card, where there is no room for a table. */
export function DeliveryCard(props: EntryProps) {
  const { deliveries } = props
  const [delivery] = deliveries
  const t = useTexts()
  return (
    <Card
      component="article"
      withBorder
      className={classes.card}
      data-testid="delivery-row"
      data-order={codesOf(deliveries)}
      data-status={delivery.status}
      aria-label={t('driver.deliveryOf', { order: codesOf(deliveries) })}
    >
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Text className={classes.code} title={codesOf(deliveries)}>
            {shortCode(deliveries)}
          </Text>
          <StatusBadge status={delivery.status} />
        </Group>
        <div>
          <DeliverySummary {...props} />
        </div>
        <Text size="sm" className={classes.figures}>
          {t('driver.lat')} {coordinate(delivery, delivery.lat)} · {t('driver.lng')} {coordinate(delivery, delivery.lng)}
        </Text>
        <div className={classes.controls}>
          <StatusSelect {...props} />
          <LocationButton {...props} />
        </div>
        <DeclineButton {...props} />
      </Stack>
    </Card>
  )
}
