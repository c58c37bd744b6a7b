import { Button, Stack, Text } from '@mantine/core'

import { useTexts } from '@/lib/texts'

import { whyNotCancellable } from './cancellation'

interface Props {
  order: { orderId: string; status: string }
  /** The words on the button. */
  label: string
  size?: 'compact-xs' | 'compact-sm'
  onCancel: () => void
}

/** Begins an order's cancellation; one that is on its way has the reason why it can't be cancelled. */
export function CancelOrderButton({ order, label, size = 'compact-xs', onCancel }: Props) {
  const t = useTexts()
  if (order.status === 'cancelled') return null
  const refusal = whyNotCancellable(order)
  return (
    <Stack gap={0} align="start">
      <Button
        size={size}
        variant="subtle"
        color="red"
        mih={24}
        disabled={refusal !== null}
        aria-label={t('cancellation.cancelOf', { order: order.orderId })}
        onClick={onCancel}
      >
        {label}
      </Button>
      {refusal !== null && (
        <Text size="xs" c="dimmed" px={6}>
          {t(refusal)}
        </Text>
      )}
    </Stack>
  )
}
