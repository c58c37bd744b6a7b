import { dayInWords } from '@/lib/format'
import { useTexts } from '@/lib/texts'

import { fullIn, urgencyOf } from './capacity'
import classes from './capacity.module.css'

/** The day on which something is full, in words. */
export function FullWhen({ fullAt, now }: { fullAt: string; now: number }) {
  const t = useTexts()
  const urgency = urgencyOf(fullAt, now)
  const { text, count } = fullIn(fullAt, now)
  return (
    <time dateTime={fullAt} className={classes.when} data-urgency={urgency}>
      {urgency === 'full' ? t('operator.fullNow') : t(text, { count, date: dayInWords(fullAt, now) })}
    </time>
  )
}
