import { IconStarFilled } from '@tabler/icons-react'

import { useTexts } from '@/lib/texts'

import classes from './cards.module.css'

/** The mean of the reviews, where there are any. */
export function RatingSummary({ rating, count }: { rating: number | null | undefined; count: number | undefined }) {
  const t = useTexts()
  if (typeof rating !== 'number' || count === undefined || count === 0) return null
  const shown = rating.toFixed(1)
  return (
    <span className={classes.rated} role="img" aria-label={t('catalogue.rated', { rating: shown, count })}>
      <IconStarFilled size={14} aria-hidden />
      <b>{shown}</b>
      <span>({count})</span>
    </span>
  )
}
