import { Anchor } from '@mantine/core'
import { Link } from 'react-router'

import type { Standing } from '@/api/generated/types.gen'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { Tile, Tiles } from '@/ui/Tiles'

import { bytesText, countText, durationText, rateText } from './format'
import { rateHistory, type Sample } from './rates'
import { Sparkline } from './Sparkline'

/** The main figures of the event history. */
export function OverviewTiles({ overview, samples }: { overview: Standing; samples: Sample[] }) {
  const t = useTexts()
  const { streams, services, deadLetters } = overview
  const consumers = streams.flatMap((stream) => stream.consumers)
  const sum = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0)
  const rates = rateHistory(samples)
  const latest = rates.at(-1)
  const lag = Math.max(0, ...consumers.map((one) => one.lagSeconds))
  const pending = sum(consumers.map((one) => one.pending + one.inFlight))
  const blocked = sum(consumers.map((one) => one.blocked))
  const waiting = sum(services.map((one) => one.outboxWaiting))
  const away = services.filter((one) => !one.isThere).length
  return (
    <Tiles>
      <Tile label={t('operator.messages')} value={countText(sum(streams.map((one) => one.messages)))}>
        {bytesText(sum(streams.map((one) => one.bytes)))}
      </Tile>
      <Tile label={t('operator.takenIn')} value={latest === undefined ? '–' : t('operator.perSecond', { rate: rateText(latest) })}>
        <Sparkline values={rates} />
      </Tile>
      <Tile label={t('operator.lag')} value={durationText(lag)} alarm={lag > 10 || blocked > 0}>
        {blocked > 0 ? t('operator.aggregatesBlocked', { count: blocked }) : t('operator.messagesBehind', { count: pending })}
      </Tile>
      <Tile label={t('operator.outboxBacklog')} value={countText(waiting)} alarm={away > 0}>
        {away > 0 ? t('operator.servicesAway', { count: away }) : t('operator.waitToBePublished')}
      </Tile>
      <Tile label={t('operator.deadLetters')} value={countText(deadLetters)} alarm={deadLetters > 0}>
        <Anchor component={Link} to={paths.operator.deadLetters()} size="sm">
          {deadLetters > 0 ? t('operator.settleThem') : t('operator.noneToSettle')}
        </Anchor>
      </Tile>
    </Tiles>
  )
}
