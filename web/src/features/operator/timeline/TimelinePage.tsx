import { Button, Group } from '@mantine/core'
import { useThrottledCallback } from '@mantine/hooks'
import { IconBroadcast } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link, useParams } from 'react-router'

import type { EventView } from '@/api/generated/types.gen'
import { revealTimeline, timelineQuery } from '@/api/operator'
import { isProblem, messageOf } from '@/api/problem'
import { eventKey } from '@/features/operator/event-key'
import { ReasonDialog } from '@/features/operator/ReasonDialog'
import { useTopic } from '@/lib/live/hooks'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Empty, Failure, Loading } from '@/ui/states'

import { useClock } from './clock'
import { chainOf, readHistory } from './history'
import { HistoryTable } from './HistoryTable'
import { LiveBanner } from './LiveBanner'
import { useLiveReplay } from './use-live-replay'
import { SelectedEvent } from './SelectedEvent'
import { EventGraph } from './EventGraph'
import { ReplayDialog } from './ReplayDialog'
import { stateAfter } from './state'
import { TimeMachine } from './TimeMachine'

const NO_CHAIN: Set<string> = new Set()
/** The shortest interval between fetches that the driver's moves cause, in milliseconds. */
const MOVED_INTERVAL = 2_000

/** The history of one order: as a graph, as a list, and as its state at any second. */
export function TimelinePage() {
  const t = useTexts()
  const { orderId = '' } = useParams()
  const [isAsking, setAsking] = useState(false)
  const { data, error, isPending, refetch } = useQuery(timelineQuery(orderId))
  const history = useMemo(() => readHistory(data ?? []), [data])
  const order = history.find(({ lane }) => lane === 'order')
  const now = stateAfter(history)
  const code = now.code ?? orderId
  const isMissing = isProblem(error) && error.status === 404
  return (
    <Page
      title={t('operator.timelineOf', { order: code })}
      lead={t('operator.timelineLead')}
      size="fluid"
      aside={
        <Group gap="xs">
          <Button component={Link} to={paths.operator.timeline()} variant="default" size="sm">
            {t('operator.timelineOther')}
          </Button>
          {history.length > 0 && (
            <Button size="sm" leftSection={<IconBroadcast size={18} />} onClick={() => { setAsking(true) }}>
              {t('operator.timelineReplayLive')}
            </Button>
          )}
        </Group>
      }
    >
      {isPending && <Loading text={t('operator.timelineLoading')} />}
      {isMissing && <Empty text={t('operator.timelineNoOrder')} art="nothing-found" hint={t('operator.orderHint')} />}
      {error !== null && !isMissing && <Failure message={messageOf(error, t('operator.timelineFailed'))} retry={() => void refetch()} />}
      {data?.length === 0 && <Empty text={t('operator.timelineEmpty')} art="empty-list" />}
      {history.length > 0 && data !== undefined && (
        <Timeline
          key={orderId}
          order={orderId}
          code={code}
          orderId={order?.event.subject ?? null}
          movingId={now.delivery === 'delivered' ? null : now.deliveryId}
          views={data}
          isAsking={isAsking}
          onAsked={() => {
            setAsking(false)
          }}
        />
      )}
    </Page>
  )
}

interface Props {
  /** The order's id or code in the address. */
  order: string
  code: string
  orderId: string | null
  /** The delivery under way. */
  movingId: string | null
  views: EventView[]
  isAsking: boolean
  onAsked: () => void
}

function Timeline({ order, code, orderId, movingId, views, isAsking, onAsked }: Props) {
  const t = useTexts()
  const queries = useQueryClient()
  // Only this component holds them: on the next visit everything is masked again.
  const [revealed, setRevealed] = useState<EventView[]>([])
  const [isRevealing, setRevealing] = useState(false)
  const shown = useMemo(() => unmasked(views, revealed), [views, revealed])
  const history = useMemo(() => readHistory(shown), [shown])
  const live = useLiveReplay(order, shown)
  const played = live.history ?? history
  const liveSpeed = live.isRunning && live.replay !== null ? live.replay.speed : null
  const clock = useClock(played, liveSpeed, history)
  const [selectedId, setSelectedId] = useState<string | null>(null)
  const chain = useMemo(() => (selectedId === null ? NO_CHAIN : chainOf(history, selectedId)), [history, selectedId])
  const selected = history.find(({ id }) => id === selectedId)
  const goTo = (t: number) => {
    clock.play(false)
    clock.seek(t)
  }
  // An order under way gets new events while the page is open.
  useTopic(orderId === null ? null : `order:${orderId}`, (frame) => {
    if (frame.type === 'event') void queries.invalidateQueries({ queryKey: timelineQuery(order).queryKey })
  })
  const refetchMoved = useThrottledCallback(() => {
    void queries.invalidateQueries({ queryKey: timelineQuery(order).queryKey }, { cancelRefetch: false })
  }, MOVED_INTERVAL)
  useTopic(movingId === null ? null : `delivery:${movingId}`, (frame) => {
    if (frame.type === 'position') refetchMoved()
  })
  return (
    <>
      <LiveBanner
        live={live}
        onLeave={() => {
          clock.seek(clock.t)
          live.leave()
        }}
      />
      <TimeMachine
        order={code}
        whole={history}
        played={played}
        clock={clock}
        liveSpeed={liveSpeed}
        onReveal={() => {
          setRevealing(true)
        }}
      />
      <EventGraph history={history} clock={clock} selectedId={selectedId} chain={chain} onSelect={setSelectedId} onSeek={goTo} />
      {selected !== undefined && (
        <SelectedEvent
          timelineEvent={selected}
          onClose={() => {
            setSelectedId(null)
          }}
          onSeek={goTo}
        />
      )}
      <HistoryTable history={history} selectedId={selectedId} chain={chain} onSelect={setSelectedId} />
      {isAsking && <ReplayDialog order={code} begin={live.begin} onClose={onAsked} />}
      {isRevealing && (
        <ReasonDialog
          title={t('operator.timelinePlaces')}
          message={t('operator.timelinePlacesMessage')}
          confirm={t('operator.show')}
          act={async (reason) => {
            setRevealed(await revealTimeline(order, reason))
          }}
          onClose={() => {
            setRevealing(false)
          }}
        />
      )}
    </>
  )
}

/** The events, with the revealed ones instead of the masked ones. */
function unmasked(views: EventView[], revealed: EventView[]): EventView[] {
  const known = new Map(revealed.map((view) => [eventKey(view), view]))
  return views.map((view) => known.get(eventKey(view)) ?? view)
}
