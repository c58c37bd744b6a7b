import { Button, Group, Modal, Stack, Text } from '@mantine/core'

import type { Offer } from './set-status'

interface Props {
  offer: Offer | null
  onTake: () => void
  onRefuse: () => void
}

/** Lines of one checkout and restaurant travel together: confirming one offers the rest. */
export function TripOffer({ offer, onTake, onRefuse }: Props) {
  const count = offer?.orders.length ?? 0
  return (
    <Modal opened={offer !== null} onClose={onRefuse} title="Same customer, same trip" centered radius="lg">
      <Stack gap="md">
        <Text>
          {count === 1 ? 'One more item' : `${count} more items`} of this checkout {count === 1 ? 'waits' : 'wait'}.
          Confirm with the same driver?
        </Text>
        <Stack gap={2}>
          {offer?.orders.map((order) => (
            <Text key={order._id} size="sm" c="dimmed">
              {order.quantity} × {order.Item_name} ({order.orderId})
            </Text>
          ))}
        </Stack>
        <Group justify="flex-end">
          <Button variant="default" onClick={onRefuse}>
            Not now
          </Button>
          <Button onClick={onTake} data-autofocus>
            Confirm the rest
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
