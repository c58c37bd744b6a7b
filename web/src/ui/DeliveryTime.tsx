import { Group, Text } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'

import { text, useTexts } from '@/lib/texts'

/** The minutes in which an order placed now would arrive. */
export interface MinutesRange {
  earliestMinutes: number
  latestMinutes: number
  /** `straight` where no street is known. */
  basis: 'street' | 'straight'
}

export function minutesText({ earliestMinutes: from, latestMinutes: to, basis }: MinutesRange): string {
  return text(basis === 'straight' ? 'app.aboutMinutesRange' : 'app.minutesRange', { from, to })
}

/** The minutes, with a clock before them. */
export function DeliveryTime({ range }: { range: MinutesRange }) {
  const t = useTexts()
  return (
    <Group gap={4} wrap="nowrap" c="var(--mantine-color-text)" data-testid="delivery-time">
      <IconClock size={15} role="img" aria-label={t('app.deliveredIn')} />
      <Text span inherit fw={600} style={{ whiteSpace: 'nowrap' }}>
        {minutesText(range)}
      </Text>
    </Group>
  )
}
