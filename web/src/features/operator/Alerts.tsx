import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { capacityQuery, overviewQuery } from '@/api/operator'
import { useTexts } from '@/lib/texts'

import { alertsOf } from './alerts'
import classes from './console.module.css'

/** The intervals of fetching the figures of alerts while the console is visible, in milliseconds. */
const EVERY = 10_000
const CAPACITY_EVERY = 60_000
/** The alerts that are shown at once; the others fold. */
const SHOWN = 3

/** Everything that needs an operator now, on each page of the console; nothing if all is well. */
export function Alerts() {
  const t = useTexts()
  const { data: standing, dataUpdatedAt } = useQuery({ ...overviewQuery(), refetchInterval: EVERY })
  const { data: capacity } = useQuery({ ...capacityQuery(), refetchInterval: CAPACITY_EVERY })
  const alerts = standing === undefined ? [] : alertsOf(standing, capacity, dataUpdatedAt)
  const row = ({ id, text, values, to, isUrgent }: (typeof alerts)[number]) => (
    <li key={id} data-urgent={isUrgent || undefined}>
      <IconAlertTriangle size={16} aria-hidden />
      <Link to={to}>{t(text, values)}</Link>
    </li>
  )
  const folded = alerts.slice(SHOWN)
  return (
    <section className={classes.alerts} aria-label={t('operator.alerts')} hidden={alerts.length === 0}>
      <ul>{alerts.slice(0, SHOWN).map(row)}</ul>
      {folded.length > 0 && (
        <details>
          <summary>{t('operator.moreAlerts', { count: folded.length })}</summary>
          <ul>{folded.map(row)}</ul>
        </details>
      )}
    </section>
  )
}
