import { Button, Group, Modal, Stack, Text } from '@mantine/core'

import { useTexts } from '@/lib/texts'

import type { RemainingOrders } from './set-status'

interface Props {
  remaining: RemainingOrders | null
  onConfirm: () => void
  onDismiss: () => void
}

/** Offers to confirm the other orders of a checkout and restaurant with the same driver. */
export function ConfirmRemainingDialog({ remaining, onConfirm, onDismiss }: Props) {
  const t = useTexts()
  const count = remaining?.orders.length ?? 0
  return (
    <Modal opened={remaining !== null} onClose={onDismiss} title={t('owner.sameTrip')} centered radius="lg">
      <Stack gap="md">
        <Text>{t('owner.restOfTrip', { count })}</Text>
        <Stack gap={2}>
          {remaining?.orders.map((order) => (
            <Text key={order._id} size="sm" c="dimmed">
              {order.quantity} × {order.Item_name} ({order.orderId})
            </Text>
          ))}
        </Stack>
        <Group justify="flex-end">
          <Button variant="default" onClick={onDismiss}>
            {t('owner.notNow')}
          </Button>
          <Button onClick={onConfirm} data-autofocus>
            {t('owner.confirmRest')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
