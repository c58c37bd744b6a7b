import { Button, Card, Group, NativeSelect, Stack, Table, Text } from '@mantine/core'
import { IconCurrentLocation } from '@tabler/icons-react'

import type { Delivery, DeliveryStatus } from '@/api/generated/types.gen'
import { clockText } from '@/lib/format'
import { isKnown } from '@/ui/map/geo'
import { StatusBadge, statusLabel } from '@/ui/StatusBadge'

import classes from './driver.module.css'

const statuses: DeliveryStatus[] = ['picked up', 'on the way', 'delivered']

interface Props {
  delivery: Delivery
  changing: boolean
  locating: boolean
  onStatus: (delivery: Delivery, next: DeliveryStatus) => void
  onLocation: (delivery: Delivery) => void
}

function StatusSelect({ delivery, changing, onStatus }: Props) {
  return (
    <NativeSelect
      size="sm"
      aria-label={`Status of ${delivery.orderId}`}
      value={delivery.status}
      disabled={changing}
      data={statuses.map((value) => ({ value, label: statusLabel(value) }))}
      onChange={(event) => {
        const next = statuses.find((value) => value === event.currentTarget.value)
        if (next !== undefined) onStatus(delivery, next)
      }}
    />
  )
}

function LocationButton({ delivery, locating, onLocation }: Props) {
  return (
    <Button
      size="sm"
      variant="light"
      leftSection={<IconCurrentLocation size={17} />}
      loading={locating}
      disabled={delivery.status === 'delivered'}
      aria-label={`Update Location of ${delivery.orderId}`}
      onClick={() => {
        onLocation(delivery)
      }}
    >
      Update Location
    </Button>
  )
}

function coordinate(delivery: Delivery, value: number): string {
  return isKnown(delivery) ? value.toFixed(5) : '–'
}

function Where({ delivery }: { delivery: Delivery }) {
  return (
    <>
      <Text size="sm" fw={600}>
        {delivery.orderName}
        {delivery.qty > 1 ? ` × ${delivery.qty}` : ''}
      </Text>
      <Text size="xs" c="dimmed">
        {delivery.address ?? 'No address'}
        {delivery.status === 'delivered' ? '' : ` · by ${clockText(delivery.estimatedTime)}`}
      </Text>
      {delivery.phone && delivery.status !== 'delivered' && (
        <Text size="xs" component="a" href={`tel:${delivery.phone}`} c="var(--mantine-color-anchor)">
          {delivery.phone}
        </Text>
      )}
    </>
  )
}

export function DeliveryRow(props: Props) {
  const { delivery } = props
  return (
    <Table.Tr data-testid="delivery-row" data-order={delivery.orderId} data-status={delivery.status}>
      <Table.Td>
        <Text className={classes.code}>{delivery.orderId}</Text>
        <Where delivery={delivery} />
      </Table.Td>
      <Table.Td miw={140}>
        <StatusSelect {...props} />
      </Table.Td>
      <Table.Td className={classes.figures}>{coordinate(delivery, delivery.lat)}</Table.Td>
      <Table.Td className={classes.figures}>{coordinate(delivery, delivery.lng)}</Table.Td>
      <Table.Td>
        <LocationButton {...props} />
      </Table.Td>
    </Table.Tr>
  )
}

export function DeliveryCard(props: Props) {
  const { delivery } = props
  return (
    <Card
      component="article"
      withBorder
      className={classes.card}
      data-testid="delivery-row"
      data-order={delivery.orderId}
      data-status={delivery.status}
      aria-label={`Delivery ${delivery.orderId}`}
    >
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Text className={classes.code}>{delivery.orderId}</Text>
          <StatusBadge status={delivery.status} />
        </Group>
        <div>
          <Where delivery={delivery} />
        </div>
        <Text size="sm" className={classes.figures}>
          Lat {coordinate(delivery, delivery.lat)} · Lng {coordinate(delivery, delivery.lng)}
        </Text>
        <div className={classes.controls}>
          <StatusSelect {...props} />
          <LocationButton {...props} />
        </div>
      </Stack>
    </Card>
  )
}
