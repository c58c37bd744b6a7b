import { ActionIcon, Alert, Button, CopyButton, Group, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import type { EventView } from '@/api/generated/types.gen'
import { type EventKey, eventQuery, revealEvent } from '@/api/operator'
import { messageOf } from '@/api/problem'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { Failure, Loading } from '@/ui/states'

import { isMasked, nameOf, orderOf, readEvent } from './envelope'
import { EventFacts } from './EventFacts'
import classes from './events.module.css'
import { eventKey } from './event-key'
import { JsonTree } from './JsonTree'
import { ReasonDialog } from './ReasonDialog'

interface Props {
  at: EventKey
  onClose: () => void
}

/** One event: its stream and sequence, its cause, its payload. */
export function EventDetail({ at, onClose }: Props) {
  const t = useTexts()
  const { data, error, isPending, refetch } = useQuery(eventQuery(at))
  return (
    <div className={classes.event}>
      <Group justify="space-between" wrap="nowrap" align="start">
        <div>
          <Title order={2} size="h3">
            {data === undefined ? t('operator.event') : nameOf(readEvent(data.event).type)}
          </Title>
          <span className={classes.code}>{eventKey(at)}</span>
        </div>
        <ActionIcon variant="subtle" color="gray" aria-label={t('operator.close')} aria-keyshortcuts="Escape" onClick={onClose}>
          <IconX size={18} />
        </ActionIcon>
      </Group>
      {isPending && <Loading />}
      {error !== null && <Failure message={messageOf(error, t('operator.eventFailed'))} retry={() => void refetch()} />}
      {data !== undefined && <EventContent view={data} />}
    </div>
  )
}

function EventContent({ view }: { view: EventView }) {
  const t = useTexts()
  // Only this component holds it: once it is closed, the event is masked again.
  const [revealed, setRevealed] = useState<EventView>()
  const [isAsking, setAsking] = useState(false)
  const shown = revealed ?? view
  const event = readEvent(shown.event)
  const order = orderOf(event)
  return (
    <>
      <Group gap="xs">
        <CopyButton value={JSON.stringify(shown, null, 2)}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" onClick={copy}>
              {copied ? t('operator.copied') : t('operator.copyJson')}
            </Button>
          )}
        </CopyButton>
        {order !== undefined && (
          <Button component={Link} to={paths.operator.timeline(order)} size="compact-sm" variant="default">
            {t('operator.orderTimeline')}
          </Button>
        )}
        {isMasked(view.event) && revealed === undefined && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              setAsking(true)
            }}
          >
            {t('operator.reveal')}
          </Button>
        )}
      </Group>
      {revealed !== undefined && (
        <Alert color="amber" variant="light" p="xs" role="status">
          {t('operator.revealed')}
        </Alert>
      )}
      <EventFacts event={event} subject={shown.subject} stream={shown.stream} seq={shown.seq} />
      <section>
        <Title order={3} size="h5" mb={4}>
          {t('operator.payload')}
        </Title>
        <JsonTree value={event.data} label={t('operator.payload')} />
      </section>
      {isAsking && (
        <ReasonDialog
          title={t('operator.reveal')}
          message={t('operator.revealMessage')}
          confirm={t('operator.show')}
          act={async (reason) => {
            setRevealed(await revealEvent(view, reason))
          }}
          onClose={() => {
            setAsking(false)
          }}
        />
      )}
    </>
  )
}
