import { ActionIcon, Button, Group, SegmentedControl } from '@mantine/core'
import { IconPlayerPauseFilled, IconPlayerPlayFilled, IconPlayerSkipBackFilled, IconPlayerSkipForwardFilled } from '@tabler/icons-react'

import { useTexts } from '@/lib/texts'

import { type Clock, neighbour, SPEEDS } from './clock'
import type { TimelineEvent } from './history'
import { secondText, sinceText } from './format-time'
import classes from './timeline.module.css'

interface Props {
  clock: Clock
  /** The events to jump to. */
  events: TimelineEvent[]
  /** The speed of a live replay; null without one. */
  liveSpeed: number | null
}

/** Plays the history, faster than it was, and jumps from event to event. */
export function Controls({ clock: { t, isPlaying, speed, seek, play, setSpeed }, events, liveSpeed }: Props) {
  const texts = useTexts()
  const jump = (way: 1 | -1) => {
    seek(neighbour(events, t, way))
  }
  return (
    <Group gap="sm" className={classes.controls ?? ''}>
      <Group gap={6} wrap="nowrap">
        <ActionIcon variant="default" size={36} aria-label={texts('operator.timelinePrevious')} aria-keyshortcuts="P" disabled={liveSpeed !== null} onClick={() => { jump(-1) }}>
          <IconPlayerSkipBackFilled size={17} />
        </ActionIcon>
        <Button
          w={118}
          disabled={liveSpeed !== null}
          aria-keyshortcuts="Space"
          leftSection={isPlaying ? <IconPlayerPauseFilled size={17} /> : <IconPlayerPlayFilled size={17} />}
          onClick={() => {
            play(!isPlaying)
          }}
        >
          {isPlaying ? texts('operator.timelinePause') : texts('operator.timelinePlay')}
        </Button>
        <ActionIcon variant="default" size={36} aria-label={texts('operator.timelineNext')} aria-keyshortcuts="N" disabled={liveSpeed !== null} onClick={() => { jump(1) }}>
          <IconPlayerSkipForwardFilled size={17} />
        </ActionIcon>
      </Group>
      <SegmentedControl
        size="xs"
        radius="xl"
        disabled={liveSpeed !== null}
        aria-label={texts('operator.timelineSpeed')}
        value={String(liveSpeed ?? speed)}
        data={SPEEDS.map((one) => ({ value: String(one), label: texts('operator.timelineSpeedFactor', { speed: one }) }))}
        onChange={(value) => {
          setSpeed(Number(value))
        }}
      />
      <p className={classes.clock} data-testid="clock" data-t={t}>
        <b>{secondText(t)}</b> {texts('operator.timelineInto', { since: sinceText(t - (events[0]?.at ?? t)) })}
      </p>
    </Group>
  )
}
