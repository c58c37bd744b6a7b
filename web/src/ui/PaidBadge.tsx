import { Badge } from '@mantine/core'

import { useTexts } from '@/lib/texts'

/** The badge of an order whose checkout is paid in full, or is not. */
export function PaidBadge({ isPaid }: { isPaid: boolean }) {
  const t = useTexts()
  return (
    <Badge size="sm" variant="light" color={isPaid ? 'leaf' : 'amber'} miw="max-content">
      {isPaid ? t('app.paid') : t('app.unpaid')}
    </Badge>
  )
}
