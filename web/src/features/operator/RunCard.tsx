import { Badge, Progress, Text } from '@mantine/core'
import type { ReactNode } from 'react'

import type { ReplayView } from '@/api/generated/types.gen'
import { type TextId, useTexts } from '@/lib/texts'
import { titleCase } from '@/lib/format'

import { ActorName } from './ActorName'
import { countText, momentText, rateText } from './format'
import { RunReport } from './RunReport'
import { isUnderWay, readSpec, shares } from './runs'
import classes from './runs.module.css'

const STATES: Record<string, { label: TextId; color: string }> = {
  running: { label: 'operator.stateRunning', color: 'blue' },
  paused: { label: 'operator.statePaused', color: 'amber' },
  done: { label: 'operator.stateDone', color: 'leaf' },
  cancelled: { label: 'operator.stateCancelled', color: 'gray' },
  failed: { label: 'operator.stateFailed', color: 'red' },
}

const VERBS: Record<string, TextId> = {
  replay: 'operator.verbReplay',
  live: 'operator.verbLive',
  rebuild: 'operator.verbRebuild',
  verify: 'operator.verbVerify',
  republish: 'operator.verbRepublish',
}

const COUNTS: Record<string, TextId> = {
  rebuild: 'operator.countsRebuild',
  verify: 'operator.countsRebuild',
  republish: 'operator.countsRepublish',
  live: 'operator.countsLive',
}

/** Something that takes time: what, how far, and what came out. */
export function RunCard({ run, children }: { run: ReplayView; children?: ReactNode }) {
  const t = useTexts()
  const state = STATES[run.state]
  const verb = VERBS[run.verb]
  const { selection, rate, speed } = readSpec(run)
  const name = verb === undefined ? `${run.verb} ${run.target}` : t(verb, { target: run.target })
  const counts = t(COUNTS[run.verb] ?? 'operator.countsReplay', {
    handled: run.handled,
    skipped: run.skipped,
    failed: run.failed,
  })
  const [handled, skipped, failed] = shares(run)
  return (
    <article className={classes.run} aria-label={name}>
      <div className={classes.head}>
        <h3 className={classes.title}>{name}</h3>
        <Badge variant="light" color={state?.color ?? 'gray'} data-state={run.state}>
          {state === undefined ? titleCase(run.state) : t(state.label)}
        </Badge>
        <div className={classes.actions}>{children}</div>
      </div>
      <Progress.Root size={6} aria-label={counts}>
        <Progress.Section value={handled} color="leaf" aria-label={t('operator.tookEffect')} animated={run.state === 'running'} />
        <Progress.Section value={skipped} color="gray.5" aria-label={t('operator.handledBefore')} />
        <Progress.Section value={failed} color="red" aria-label={t('operator.failed')} />
      </Progress.Root>
      <Text size="sm">
        {t('operator.progress', { done: countText(run.published), all: countText(Math.max(run.total, run.published)) })} {counts}
        {isUnderWay(run) && run.rate > 0 && ` ${t('operator.eventsPerSecond', { rate: rateText(run.rate) })}`}
      </Text>
      <Text size="sm" c="dimmed" component="div" className={classes.meta ?? ''}>
        <span>
          <time dateTime={run.startedAt}>{momentText(run.startedAt)}</time> · <ActorName actor={run.actor} />
        </span>
        {run.stream != null && selection !== undefined && (
          <span className={classes.code}>
            {run.stream} {selection.from}–{selection.to} {selection.filter ?? ''}
          </span>
        )}
        {rate != null && <span>{t('operator.atMostPerSecond', { rate: countText(rate) })}</span>}
        {speed != null && <span>{t('operator.atSpeed', { speed })}</span>}
        <q>{run.reason}</q>
      </Text>
      <RunReport run={run} />
    </article>
  )
}
