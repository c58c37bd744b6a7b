import { Text } from '@mantine/core'

import { moneyText } from '@/lib/format'
import { useTexts } from '@/lib/texts'

import { type OrderRefund, refundLabels } from './refund'

/** The refunds of an order, each with its amount and reason; one that is under way says so. */
export function RefundNote({ refunds }: { refunds: OrderRefund[] }) {
  const t = useTexts()
  return refunds.map(({ amount, reason, isMade }, at) => {
    const said = t(isMade ? 'refund.made' : 'refund.underWay', { amount: moneyText(amount) })
    const why = reason === 'other' ? said : t('refund.because', { said, reason: t(refundLabels[reason]) })
    return (
      // Refunds only ever join at the end.
      <Text key={at} size="sm" data-testid="refund">
        {why}
      </Text>
    )
  })
}
