import { Button } from '@mantine/core'

import { useTexts } from '@/lib/texts'

interface Props {
  order: { orderId: string; status: string; isPaid: boolean }
  size?: 'compact-xs' | 'compact-sm'
  onRefund: () => void
}

/** Begins the refund of a paid order; nothing for others. */
export function RefundOrderButton({ order, size = 'compact-xs', onRefund }: Props) {
  const t = useTexts()
  if (!order.isPaid || order.status === 'cancelled') return null
  return (
    <Button size={size} variant="subtle" color="gray" mih={24} aria-label={t('refund.refundOf', { order: order.orderId })} onClick={onRefund}>
      {t('refund.refund')}
    </Button>
  )
}
