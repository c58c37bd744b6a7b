import { Button, Skeleton, Text, Title } from '@mantine/core'
import { Suspense, useMemo, useRef } from 'react'

import { lazyPart } from '@/lib/lazy-part'
import { useTexts } from '@/lib/texts'

import { type Clock, neighbour } from './clock'
import { Controls } from './Controls'
import { countUpTo, type TimelineEvent, POSITIONS } from './history'
import { Scrubber } from './Scrubber'
import { OrderStatePanel } from './OrderStatePanel'
import { stateAfter } from './state'
import classes from './timeline.module.css'
import { positionsOf, driverPositionAt } from './driver-position'
import { stateText } from './timeline-texts'
import { useTimelineKeys } from './timeline-keys'

// The map and its library are only fetched where a map is looked at.
const DriverMap = lazyPart(async () => ({ default: (await import('./DriverMap')).DriverMap }))

interface Props {
  order: string
  /** Everything that happened. */
  whole: TimelineEvent[]
  /** The played events: all, or those that have arrived. */
  played: TimelineEvent[]
  clock: Clock
  liveSpeed: number | null
  /** Asks for the masked positions. */
  onReveal: () => void
}

/** The order at any moment, played or stepped through. */
export function TimeMachine({ order, whole, played, clock, liveSpeed, onReveal }: Props) {
  const t = useTexts()
  const count = countUpTo(played, clock.t, 'at')
  const state = useMemo(() => stateAfter(played.slice(0, count)), [played, count])
  const end = useMemo(() => stateAfter(whole), [whole])
  const allPositions = useMemo(() => positionsOf(whole), [whole])
  const positions = useMemo(() => positionsOf(played), [played])
  const events = useMemo(() => played.filter(({ lane }) => lane !== POSITIONS), [played])
  const driver = useMemo(() => driverPositionAt(positions, clock.t), [positions, clock.t])
  const hasPositions = useMemo(() => whole.some(({ lane }) => lane === POSITIONS), [whole])
  const isHidden = hasPositions && allPositions.length === 0 && liveSpeed === null && positions.length === 0
  const words = stateText(state)
  const section = useRef<HTMLElement>(null)

  useTimelineKeys(section, liveSpeed === null, {
    ' ': () => { clock.play(!clock.isPlaying) },
    n: () => { clock.seek(neighbour(events, clock.t, 1)) },
    p: () => { clock.seek(neighbour(events, clock.t, -1)) },
  })

  return (
    <section ref={section} aria-label={t('operator.timelineMachine')}>
      <Title order={2} size="h3" mb="xs">
        {t('operator.timelineMachine')}
      </Title>
      {isHidden && (
        <div className={classes.hidden}>
          <Text size="sm">{t('operator.timelinePlacesHidden')}</Text>
          <Button size="xs" variant="default" onClick={onReveal}>
            {t('operator.timelinePlaces')}
          </Button>
        </div>
      )}
      <div className={classes.timeMachine}>
        <div className={classes.map}>
          <Suspense fallback={<Skeleton height="100%" radius={0} />}>
            <DriverMap
              // The key opens another map once the positions are revealed, so that it begins at the right place.
              key={allPositions.length > 0 ? 'shown' : 'masked'}
              order={order}
              driver={driver}
              begin={allPositions[0] ?? null}
              restaurantId={end.restaurantId}
              deliveryId={end.deliveryId}
              destination={end.destination}
            />
          </Suspense>
        </div>
        <OrderStatePanel state={state} driver={driver} hasPositions={hasPositions} last={played[count - 1] ?? null} t={clock.t} />
        <div className={classes.player}>
          <Scrubber
            history={whole}
            t={clock.t}
            state={words}
            isLive={liveSpeed !== null}
            onSeek={(moment) => {
              clock.play(false)
              clock.seek(moment)
            }}
          />
          <Controls clock={clock} events={events} liveSpeed={liveSpeed} />
          <Text size="xs" c="dimmed">
            {t('operator.timelineKeys')}
          </Text>
        </div>
      </div>
    </section>
  )
}
