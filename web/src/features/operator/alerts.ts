import type { Capacity, Standing } from '@/api/generated/types.gen'
import { paths } from '@/lib/paths'
import type { TextId } from '@/lib/texts'

import { fillingUp, fullIn, type Urgency, urgencyOf } from './capacity'
import { durationText } from './format'

/** Something that needs an operator, and the page that helps. */
export interface ConsoleAlert {
  id: string
  text: TextId
  values: Record<string, string | number>
  to: string
  isUrgent: boolean
}

/** The fill of streams and the broker's disk. */
type Fill = Pick<Capacity, 'streams' | 'broker'>

/** The lag in seconds from which consumers and outboxes need attention: that of outboxes in `infra/prometheus/alerts.yml`. */
const LAG = 60
/** The fill in percent from which a stream needs attention. */
const NEARLY_FULL = 80

/** The alerts of a moment, the urgent ones first. */
export function alertsOf(standing: Standing, capacity: Fill | undefined, now: number): ConsoleAlert[] {
  const alerts = [...serviceAlerts(standing), ...consumerAlerts(standing), ...deadLetterAlerts(standing), ...capacityAlerts(capacity, now)]
  return alerts.sort((one, other) => Number(other.isUrgent) - Number(one.isUrgent))
}

function serviceAlerts({ services }: Standing): ConsoleAlert[] {
  const to = paths.operator.streams()
  return services.flatMap(({ name, isThere, outboxLagSeconds }): ConsoleAlert[] => {
    if (!isThere) return [{ id: `away ${name}`, text: 'operator.alertServiceAway', values: { name }, to, isUrgent: true }]
    if (outboxLagSeconds < LAG) return []
    const values = { name, time: durationText(outboxLagSeconds) }
    return [{ id: `outbox ${name}`, text: 'operator.alertOutboxLags', values, to, isUrgent: false }]
  })
}

function consumerAlerts({ streams }: Standing): ConsoleAlert[] {
  return streams
    .flatMap(({ consumers }) => consumers)
    .flatMap(({ name, lagSeconds, blocked }) => {
      const alerts: ConsoleAlert[] = []
      if (lagSeconds >= LAG) {
        const values = { name, time: durationText(lagSeconds) }
        alerts.push({ id: `lag ${name}`, text: 'operator.alertConsumerLags', values, to: paths.operator.streams(), isUrgent: false })
      }
      if (blocked > 0) {
        const values = { name, count: blocked }
        alerts.push({ id: `blocked ${name}`, text: 'operator.alertBlocked', values, to: paths.operator.deadLetters(), isUrgent: true })
      }
      return alerts
    })
}

function deadLetterAlerts({ deadLetters: count }: Standing): ConsoleAlert[] {
  if (count === 0) return []
  return [{ id: 'dead letters', text: 'operator.alertDeadLetters', values: { count }, to: paths.operator.deadLetters(), isUrgent: false }]
}

function capacityAlerts(capacity: Fill | undefined, now: number): ConsoleAlert[] {
  if (capacity === undefined) return []
  const to = paths.operator.capacity()
  const isUrgent = (urgency: Urgency) => urgency === 'full' || urgency === 'verySoon'
  const soon = fillingUp(capacity).flatMap(({ stream, fullAt }): ConsoleAlert[] => {
    const urgency = urgencyOf(fullAt, now)
    if (urgency === 'later') return []
    const { count } = fullIn(fullAt, now)
    const text = stream === null ? 'operator.alertBrokerFillsUp' : 'operator.alertStreamFillsUp'
    return [{ id: `full ${stream ?? ''}`, text, values: { name: stream ?? '', count }, to, isUrgent: isUrgent(urgency) }]
  })
  const named = new Set(soon.map(({ values }) => values.name))
  const full = capacity.streams.flatMap(({ name, percent }): ConsoleAlert[] => {
    if (percent == null || percent < NEARLY_FULL || named.has(name)) return []
    const values = { name, percent: Math.floor(percent) }
    return [{ id: `fill ${name}`, text: 'operator.alertNearlyFull', values, to, isUrgent: false }]
  })
  return [...soon, ...full]
}
