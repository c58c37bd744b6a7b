import { Title } from '@mantine/core'

import type { Capacity } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'
import { Empty } from '@/ui/states'

import { fillingUp, isTooYoung, urgencyOf } from './capacity'
import classes from './capacity.module.css'
import { percentText } from './format'
import { FullWhen } from './FullWhen'

/** The streams that are shown; the table has all. */
const SHOWN = 3

/** The streams that fill up first, with their days. */
export function FillsUpFirst({ capacity, now }: { capacity: Capacity; now: number }) {
  const t = useTexts()
  const first = fillingUp(capacity).slice(0, SHOWN)
  return (
    <section aria-label={t('operator.fillsUpFirst')}>
      <Title order={2} size="h3" mb="xs">
        {t('operator.fillsUpFirst')}
      </Title>
      {first.length === 0 && isTooYoung(capacity) && <Empty text={t('operator.noPaceYet')} hint={t('operator.noPaceYetHint')} />}
      {first.length === 0 && !isTooYoung(capacity) && <Empty text={t('operator.nothingFillsUp')} hint={t('operator.nothingFillsUpHint')} />}
      {first.length > 0 && (
        <>
          <ol className={classes.first}>
            {first.map(({ stream, fullAt, percent }) => (
              <li key={stream ?? ''} data-urgency={urgencyOf(fullAt, now)}>
                <strong>{stream ?? t('operator.brokerDisk')}</strong>
                <FullWhen fullAt={fullAt} now={now} />
                {percent !== null && <span className={classes.percent}>{percentText(percent)}</span>}
              </li>
            ))}
          </ol>
          <p className={classes.hint}>{t('operator.refusesWhenFull')}</p>
        </>
      )}
    </section>
  )
}
