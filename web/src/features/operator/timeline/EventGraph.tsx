import { ActionIcon, Group, SegmentedControl, Title, VisuallyHidden } from '@mantine/core'
import { useElementSize, useMergedRef, useReducedMotion } from '@mantine/hooks'
import { IconArrowsHorizontal, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { type KeyboardEvent, useCallback, useMemo, useState } from 'react'

import { useTexts } from '@/lib/texts'

import type { Clock } from './clock'
import { EventGraphSvg } from './EventGraphSvg'
import { layoutGraph, gutterOf, offsetAtX, xOf } from './graph-layout'
import { useGestures } from './gestures'
import { type TimelineEvent, lanesOf, POSITIONS } from './history'
import { following, momentAt, panned, offsetOf, scaleOf, type ScaleKind, showing, type View, WHOLE, zoomed } from './scale'
import classes from './timeline.module.css'
import { eventText } from './timeline-texts'

/** The step of a key in moving and zooming the graph. */
const STEP = 0.2
const ZOOM = 1.5
/** A narrow screen begins with fewer events, each with room. */
const ROOM = 46

interface Props {
  history: TimelineEvent[]
  /** The moment that is looked at, and how often the playhead was touched. */
  clock: Pick<Clock, 't' | 'changes'>
  selectedId: string | null
  chain: Set<string>
  onSelect: (id: string | null) => void
  onSeek: (t: number) => void
}

/** Causes and effects: a lane for each service, moved and zoomed by pointer and keys. */
export function EventGraph({ history, clock: { t, changes }, selectedId, chain, onSelect, onSeek }: Props) {
  const texts = useTexts()
  const [kind, setKind] = useState<ScaleKind>('even')
  const [chosen, setView] = useState<View | null>(null)
  const [element, setElement] = useState<HTMLElement | null>(null)
  const { ref: measured, width } = useElementSize()
  const lanes = useMemo(() => lanesOf(history), [history])
  const { scale, offsets } = useMemo(() => scaleOf(history, kind), [history, kind])
  const events = useMemo(() => history.filter(({ lane }) => lane !== POSITIONS), [history])
  const first = Math.min(1, width / (events.length * ROOM))
  const chosenView = chosen ?? { from: 0, to: width > 0 ? first : 1 }
  // The view follows the playhead, unless the reader moved the view after touching the playhead.
  const [pannedAt, setPannedAt] = useState<number | null>(null)
  const isStill = useReducedMotion()
  const view = pannedAt === changes ? chosenView : following(chosenView, offsetOf(scale, t), isStill)
  const { from, to } = view
  const layout = useMemo(
    () => layoutGraph({ history, lanes, scale, kind, offsets, view: { from, to }, width, chain }),
    [history, lanes, scale, kind, offsets, from, to, width, chain],
  )

  const move = (view: View) => {
    setView(view)
    setPannedAt(changes)
  }
  const pick = (id: string) => {
    onSelect(id)
    move(showing(view, offsets.get(id) ?? 0))
  }
  const selectNearestPosition = useCallback(
    (x: number) => {
      const at = momentAt(scale, offsetAtX(x, { from, to }, width))
      const positions = history.filter(({ lane }) => lane === POSITIONS)
      const found = positions.reduce<TimelineEvent | null>(
        (best, one) => (best === null || Math.abs(one.at - at) < Math.abs(best.at - at) ? one : best),
        null,
      )
      onSelect(found?.id ?? null)
    },
    [history, scale, from, to, width, onSelect],
  )
  const gestures = useGestures({
    element,
    width,
    view,
    onMove: move,
    onZoom: setView,
    onTap: (x) => {
      onSeek(momentAt(scale, offsetAtX(x, view, width)))
    },
    offsetAt: (x) => offsetAtX(x, view, width),
  })
  const zoom = (factor: number) => {
    setView(zoomed(view, factor, (from + to) / 2))
  }
  const onKey = (event: KeyboardEvent) => {
    const at = events.findIndex(({ id }) => id === selectedId)
    const acts: Record<string, () => void> = {
      ArrowLeft: () => move(panned(view, -STEP)),
      ArrowRight: () => move(panned(view, STEP)),
      ArrowUp: () => pick(events[Math.max(0, at - 1)]?.id ?? ''),
      ArrowDown: () => pick(events[Math.min(events.length - 1, at + 1)]?.id ?? ''),
      '+': () => zoom(1 / ZOOM),
      '=': () => zoom(1 / ZOOM),
      '-': () => zoom(ZOOM),
      '0': () => setView(WHOLE),
      Escape: () => onSelect(null),
    }
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : acts[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  const selected = history.find(({ id }) => id === selectedId)
  const playheadX = xOf(offsetOf(scale, t), view, width)
  const until = history.findLast(({ at }) => at <= t)?.at ?? Number.NEGATIVE_INFINITY

  return (
    <section>
      <Group justify="space-between" align="end" gap="sm" mb="xs">
        <Title order={2} size="h3">
          {texts('operator.timelinePicture')}
        </Title>
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            radius="xl"
            aria-label={texts('operator.timelineAxis')}
            value={kind}
            data={[
              { value: 'even', label: texts('operator.timelineEven') },
              { value: 'true', label: texts('operator.timelineTrue') },
            ]}
            onChange={(value) => {
              setKind(value === 'true' ? 'true' : 'even')
              setView(null)
            }}
          />
          <ActionIcon variant="default" size={34} aria-label={texts('operator.timelineZoomOut')} onClick={() => { zoom(ZOOM) }}>
            <IconZoomOut size={18} />
          </ActionIcon>
          <ActionIcon variant="default" size={34} aria-label={texts('operator.timelineZoomIn')} onClick={() => { zoom(1 / ZOOM) }}>
            <IconZoomIn size={18} />
          </ActionIcon>
          <ActionIcon variant="default" size={34} aria-label={texts('operator.timelineWhole')} onClick={() => { setView(WHOLE) }}>
            <IconArrowsHorizontal size={18} />
          </ActionIcon>
        </Group>
      </Group>
      <div
        ref={useMergedRef(measured, setElement)}
        className={classes.graph}
        role="application"
        aria-roledescription={texts('operator.timelinePictureRole')}
        aria-label={texts('operator.timelinePictureLabel', { count: events.length })}
        tabIndex={0}
        data-testid="graph"
        onKeyDown={onKey}
        {...gestures}
      >
        {width > 0 && (
          <EventGraphSvg
            layout={layout}
            lanes={lanes}
            width={width}
            positions={history.length - events.length}
            selectedId={selectedId}
            chain={chain}
            until={until}
            onSelect={onSelect}
            onSelectPosition={selectNearestPosition}
          />
        )}
        {playheadX >= gutterOf(width) && playheadX <= width && <span className={classes.playhead} data-testid="playhead" style={{ transform: `translateX(${playheadX.toFixed(1)}px)` }} />}
      </div>
      <VisuallyHidden role="status">{selected === undefined ? '' : eventText(selected, history)}</VisuallyHidden>
    </section>
  )
}
