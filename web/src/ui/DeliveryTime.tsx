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

/** The minutes, with a clock before them. */
export function DeliveryTime({ range }: { range: MinutesRange }) {
  const t = useTexts()
  return (
    <span className={classes.time} data-testid="delivery-time">
      <IconClock size={15} role="img" aria-label={t('app.deliveredIn')} />
      <span>{minutesText(range)}</span>
    </span>
  )
}
