import { type KeyboardEvent, type PointerEvent, useMemo } from 'react'

import { useTexts } from '@/lib/texts'

import type { TimelineEvent } from './history'
import { momentAt, offsetOf, type Scale, scaleOf } from './scale'
import { dayText, secondText, sinceText } from './format-time'
import classes from './timeline.module.css'

const SECOND = 1_000

interface Props {
  /** The marks of the track, past and future. */
  history: TimelineEvent[]
  t: number
  /** The state at this moment, in words. */
  state: string
  /** True while it follows arriving events. */
  isLive: boolean
  onSeek: (t: number) => void
}

/** Chooses the moment that is looked at: a slider whose track gives every event room. */
export function Scrubber({ history, t, state, isLive, onSeek }: Props) {
  const texts = useTexts()
  const [from, to] = [history[0]?.at ?? 0, history.at(-1)?.at ?? 0]
  const { scale, offsets } = useMemo(() => scaleOf(history, 'even'), [history])
  const seek = (moment: number) => {
    if (!isLive) onSeek(Math.min(Math.max(from, moment), to))
  }
  const point = (event: PointerEvent<HTMLElement>) => {
    seek(momentUnder(event, scale))
  }
  const onKey = (event: KeyboardEvent) => {
    const step = SECOND * (event.shiftKey ? 10 : 1)
    const targets: Record<string, number> = {
      ArrowRight: t + step,
      ArrowUp: t + step,
      ArrowLeft: t - step,
      ArrowDown: t - step,
      PageUp: t + 60 * SECOND,
      PageDown: t - 60 * SECOND,
      Home: from,
      End: to,
    }
    const target = targets[event.key]
    if (target === undefined) return
    event.preventDefault()
    seek(target)
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      className={classes.scrubber}
      aria-label={texts('operator.timelineMoment')}
      aria-disabled={isLive || undefined}
      aria-valuemin={0}
      aria-valuemax={Math.round((to - from) / SECOND)}
      aria-valuenow={Math.round((t - from) / SECOND)}
      aria-valuetext={texts('operator.timelineSpoken', { day: dayText(t), time: secondText(t), since: sinceText(t - from), state })}
      onKeyDown={onKey}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        point(event)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) point(event)
      }}
    >
      <span className={classes.track}>
        {history.map(({ id, lane }) => (
          <i key={id} data-lane={lane} style={{ left: percent(offsets.get(id) ?? 0) }} />
        ))}
        <b style={{ left: percent(offsetOf(scale, t)) }} />
      </span>
    </div>
  )
}

function momentUnder(event: PointerEvent<HTMLElement>, scale: Scale): number {
  const box = event.currentTarget.firstElementChild?.getBoundingClientRect()
  return momentAt(scale, box === undefined || box.width === 0 ? 0 : (event.clientX - box.left) / box.width)
}

function percent(offset: number): string {
  return `${(offset * 100).toFixed(3)}%`
}
