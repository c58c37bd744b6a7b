import { Button, Group, Text } from '@mantine/core'
import { IconBroadcast, IconPlayerStopFilled } from '@tabler/icons-react'

import { messageOf } from '@/api/problem'
import { text, useTexts } from '@/lib/texts'
import { Failure } from '@/ui/states'

import type { LiveReplayState } from './live-replay-state'
import type { LiveReplay } from './use-live-replay'
import classes from './timeline.module.css'

/** The bridge's reason in the reader's language, or its sentence if the app has no text for the code. */
function refusalText({ code, message }: NonNullable<LiveReplayState['refusal']>): string {
  if (code === 'live.not-allowed') return text('operator.timelineNotAllowed')
  if (code === 'live.unavailable') return text('operator.timelineWatchFailed')
  return message
}

/** The progress of a live replay, and its end. */
export function LiveBanner({ live, onLeave }: { live: LiveReplay; onLeave: () => void }) {
  const t = useTexts()
  const { replay, replayState, isRunning } = live
  if (replay === null) return null
  const values = { speed: replay.speed, shown: replayState.shown.length, total: replay.total }
  const ends = { done: 'operator.timelineLiveDone', cancelled: 'operator.timelineLiveStopped', failed: 'operator.timelineLiveFailed' } as const
  const { state } = replayState
  const status = isRunning ? 'operator.timelineLiveRunning' : ends[state === 'done' || state === 'cancelled' ? state : 'failed']
  return (
    <div className={classes.live} data-testid="live" data-state={isRunning ? 'running' : state} data-shown={replayState.shown.length}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm" wrap="nowrap">
          <IconBroadcast size={20} aria-hidden />
          <Text size="sm" fw={600} role="status">
            {t(status, values)}
          </Text>
        </Group>
        {isRunning ? (
          <Button size="xs" variant="default" leftSection={<IconPlayerStopFilled size={15} />} onClick={live.stop}>
            {t('operator.timelineStop')}
          </Button>
        ) : (
          <Button size="xs" variant="default" onClick={onLeave}>
            {t('operator.timelineLeave')}
          </Button>
        )}
      </Group>
      {replayState.isFilled && <Text size="sm">{t('operator.timelineFilled')}</Text>}
      {replayState.refusal !== null && <Failure message={refusalText(replayState.refusal)} />}
      {live.failure !== null && isRunning && <Failure message={messageOf(live.failure, t('operator.timelineStopFailed'))} />}
    </div>
  )
}
