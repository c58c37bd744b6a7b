import { Badge } from '@mantine/core'

import { useTexts } from '@/lib/texts'

interface Props {
  order: { isPaid: boolean; status: string }
}

/** The badge of an order whose checkout is paid in full, or is not. A cancelled one has none: nothing is due. */
export function PaidBadge({ order: { isPaid, status } }: Props) {
  const t = useTexts()
  if (status === 'cancelled') return null
  return (
    <Badge size="sm" variant="light" color={isPaid ? 'leaf' : 'amber'} flex="none" maw="100%">
      {isPaid ? t('app.paid') : t('app.unpaid')}
    </Badge>
  )
}
