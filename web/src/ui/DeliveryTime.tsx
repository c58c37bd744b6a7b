import { VisuallyHidden } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'

import { text, useTexts } from '@/lib/texts'

import classes from './DeliveryTime.module.css'

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

/** The minutes with a clock beside them; an empty place of the same height until they are known. */
export function DeliveryTime({ range }: { range: MinutesRange | undefined }) {
  const t = useTexts()
  return (
    <span className={classes.time} data-testid="delivery-time">
      {range !== undefined && (
        <>
          <IconClock size={15} aria-hidden />
          <VisuallyHidden>{t('app.deliveredIn')}</VisuallyHidden>
          <span>{minutesText(range)}</span>
        </>
      )}
    </span>
  )
}
