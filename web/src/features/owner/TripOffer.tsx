import { Button, Group, Modal, Stack, Text } from '@mantine/core'

import { useTexts } from '@/lib/texts'

import type { Offer } from './set-status'

interface Props {
  offer: Offer | null
  onTake: () => void
  onRefuse: () => void
}

/** Lines of one checkout and restaurant travel together: confirming one offers the rest. */
export function TripOffer({ offer, onTake, onRefuse }: Props) {
  const t = useTexts()
  const count = offer?.orders.length ?? 0
  return (
    <Modal opened={offer !== null} onClose={onRefuse} title={t('owner.sameTrip')} centered radius="lg">
      <Stack gap="md">
        <Text>{t('owner.restOfTrip', { count })}</Text>
        <Stack gap={2}>
          {offer?.orders.map((order) => (
            <Text key={order._id} size="sm" c="dimmed">
              {order.quantity} × {order.Item_name} ({order.orderId})
            </Text>
          ))}
        </Stack>
        <Group justify="flex-end">
          <Button variant="default" onClick={onRefuse}>
            {t('owner.notNow')}
          </Button>
          <Button onClick={onTake} data-autofocus>
            {t('owner.confirmRest')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
