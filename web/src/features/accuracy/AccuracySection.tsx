import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'

import type { AccuracyScore, DeliveryAccuracy } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { Empty, Failure, Loading } from '@/ui/states'
import { Tile, Tiles } from '@/ui/Tiles'

import { accuracyQuery, hourText, inLocalOrder, isTooFew, leadText, shareText } from './accuracy'
import classes from './accuracy.module.css'
import { ScoreTable } from './ScoreTable'

/** The share of the shown times of arrival that held in the last days. */
export function AccuracySection({ days }: { days: number }) {
  const t = useTexts()
  const id = useId()
  const { data, error, isPending, refetch } = useQuery(accuracyQuery(days))
  return (
    <Stack component="section" gap="sm" aria-labelledby={id} data-testid="accuracy">
      <div>
        <Title order={2} id={id}>
          {t('accuracy.title')}
        </Title>
        <Text c="dimmed" size="sm" maw={680}>
          {t('accuracy.lead', { days })}
        </Text>
      </div>
      {isPending && <Loading />}
      {error !== null && <Failure message={messageOf(error, t('accuracy.failed'))} retry={() => void refetch()} />}
      {data !== undefined && <Report accuracy={data} />}
    </Stack>
  )
}

function Report({ accuracy: { all, byRestaurant, byHour, byLead } }: { accuracy: DeliveryAccuracy }) {
  const t = useTexts()
  if (all == null) return <Empty text={t('accuracy.empty')} art="empty-list" />
  const restaurants = byRestaurant.map((score) => ({
    id: score.restaurantId ?? '',
    label: score.restaurantName ?? t('accuracy.unknownRestaurant'),
    score,
  }))
  const hours = inLocalOrder(byHour).map((score) => ({ id: score.hour ?? 0, label: hourText(score.hour ?? 0), score }))
  const leads = byLead.map((score) => ({ id: score.leadMinutes ?? 0, label: leadText(score.leadMinutes ?? 0), score }))
  return (
    <>
      <Overall score={all} />
      <div className={classes.tables}>
        <ScoreTable title={t('accuracy.byRestaurant')} unit={t('accuracy.restaurant')} rows={restaurants} />
        <ScoreTable title={t('accuracy.byHour')} unit={t('accuracy.hour')} rows={hours} />
        <ScoreTable title={t('accuracy.byLead')} unit={t('accuracy.timeLeft')} rows={leads} />
      </div>
    </>
  )
}

function Overall({ score }: { score: AccuracyScore }) {
  const t = useTexts()
  const { shown, held, early, late, minutesOff } = score
  return (
    <>
      {isTooFew(score) && <Text fw={600}>{t('accuracy.tooFewYet', { count: shown })}</Text>}
      <Tiles>
        <Tile label={t('accuracy.held')} value={shareText(held, score)}>
          {t('accuracy.allShown', { count: shown })}
        </Tile>
        <Tile label={t('accuracy.early')} value={shareText(early, score)} />
        <Tile label={t('accuracy.late')} value={shareText(late, score)} />
        <Tile label={t('accuracy.minutesOff')} value={t('accuracy.minutes', { count: minutesOff.toFixed(1) })} />
      </Tiles>
    </>
  )
}
