import { Badge } from '@mantine/core'

import { useTexts } from '@/lib/texts'

export function ApprovalBadge({ approved }: { approved: boolean }) {
  const t = useTexts()
  return (
    <Badge variant="light" color={approved ? 'leaf' : 'amber'} miw="max-content">
      {approved ? t('admin.approved') : t('admin.pending')}
    </Badge>
  )
}

export function StockBadge({ available }: { available: boolean }) {
  const t = useTexts()
  return (
    <Badge variant="light" color={available ? 'leaf' : 'gray'} miw="max-content">
      {available ? t('admin.inStock') : t('admin.outOfStock')}
    </Badge>
  )
}
