import { Badge, Progress, Text } from '@mantine/core'
import type { ReactNode } from 'react'

import type { ReplayView } from '@/api/generated/types.gen'
import { type TextId, useTexts } from '@/lib/texts'
import { titleCase } from '@/lib/format'

import { ActorName } from './ActorName'
import { countText, momentText, rateText } from './format'
import { OperationReport } from './OperationReport'
import { isUnderWay, readSpec, shares } from './operation-progress'
import classes from './operations.module.css'

const STATES: Record<string, { label: TextId; color: string }> = {
  running: { label: 'operator.stateRunning', color: 'blue' },
  paused: { label: 'operator.statePaused', color: 'amber' },
  done: { label: 'operator.stateDone', color: 'leaf' },
  cancelled: { label: 'operator.stateCancelled', color: 'gray' },
  failed: { label: 'operator.stateFailed', color: 'red' },
}

const VERBS: Record<string, TextId> = {
  archive: 'operator.verbArchive',
  replay: 'operator.verbReplay',
  live: 'operator.verbLive',
  rebuild: 'operator.verbRebuild',
  verify: 'operator.verbVerify',
  republish: 'operator.verbRepublish',
}

const COUNTS: Record<string, TextId> = {
  archive: 'operator.countsArchive',
  rebuild: 'operator.countsRebuild',
  verify: 'operator.countsRebuild',
  republish: 'operator.countsRepublish',
  live: 'operator.countsLive',
}

/** An operation that takes time: its target, progress and result. */
export function OperationCard({ operation, children }: { operation: ReplayView; children?: ReactNode }) {
  const t = useTexts()
  const state = STATES[operation.state]
  const verb = VERBS[operation.verb]
  const { selection, rate, speed } = readSpec(operation)
  const name = verb === undefined ? `${operation.verb} ${operation.target}` : t(verb, { target: operation.target })
  const counts = t(COUNTS[operation.verb] ?? 'operator.countsReplay', {
    handled: operation.handled,
    skipped: operation.skipped,
    failed: operation.failed,
  })
  const [handled, skipped, failed] = shares(operation)
  return (
    <article className={classes.operation} aria-label={name}>
      <div className={classes.head}>
        <h3 className={classes.title}>{name}</h3>
        <Badge variant="light" color={state?.color ?? 'gray'} data-state={operation.state}>
          {state === undefined ? titleCase(operation.state) : t(state.label)}
        </Badge>
        <div className={classes.actions}>{children}</div>
      </div>
      <Progress.Root size={6} aria-label={counts}>
        <Progress.Section value={handled} color="leaf" aria-label={t('operator.tookEffect')} animated={operation.state === 'running'} />
        <Progress.Section value={skipped} color="gray.5" aria-label={t('operator.handledBefore')} />
        <Progress.Section value={failed} color="red" aria-label={t('operator.failed')} />
      </Progress.Root>
      <Text size="sm">
        {t('operator.progress', { done: countText(operation.published), all: countText(Math.max(operation.total, operation.published)) })} {counts}
        {isUnderWay(operation) && operation.rate > 0 && ` ${t('operator.eventsPerSecond', { rate: rateText(operation.rate) })}`}
      </Text>
      <Text size="sm" c="dimmed" component="div" className={classes.meta ?? ''}>
        <span>
          <time dateTime={operation.startedAt}>{momentText(operation.startedAt)}</time> · <ActorName actor={operation.actor} />
        </span>
        {operation.stream != null && selection !== undefined && (
          <span className={classes.code}>
            {operation.stream} {selection.from}–{selection.to} {selection.filter ?? ''}
          </span>
        )}
        {rate != null && <span>{t('operator.atMostPerSecond', { rate: countText(rate) })}</span>}
        {speed != null && <span>{t('operator.atSpeed', { speed })}</span>}
        <q>{operation.reason}</q>
      </Text>
      <OperationReport operation={operation} />
    </article>
  )
}
