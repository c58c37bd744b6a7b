import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { effectsQuery, eventByIdQuery, overviewQuery } from '@/api/operator'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'

import { ActorName } from './ActorName'
import { type Envelope, nameOf, readEvent } from './envelope'
import classes from './events.module.css'
import { eventKey } from './event-key'
import { Fact } from './Fact'
import { momentText } from './format'

interface Props {
  event: Envelope
  subject: string
  stream: string
  seq: number
}

/** An event's envelope, with its cause and its effects. */
export function EventFacts({ event, subject, stream, seq }: Props) {
  const t = useTexts()
  const { causationid: causation, correlationid: correlation } = event
  return (
    <dl className={classes.facts}>
      <Fact label={t('operator.type')}>
        <Narrowed by="type" value={event.type} />
      </Fact>
      <Fact label={t('operator.subject')}>{subject}</Fact>
      <Fact label={t('operator.time')}>
        <time dateTime={event.time}>{momentText(event.time)}</time>
      </Fact>
      <Fact label={t('operator.id')}>{event.id}</Fact>
      <Fact label={t('operator.aggregate')}>
        <Narrowed by="aggregate" value={event.subject} />
      </Fact>
      <Fact label={t('operator.aggregateSequence')}>{event.sequence ?? '–'}</Fact>
      <Fact label={t('operator.source')}>{event.source}</Fact>
      <Fact label={t('operator.actor')}>
        <Link to={paths.operator.events({ actor: event.actor })}>
          <ActorName actor={event.actor} />
        </Link>
      </Fact>
      <Fact label={t('operator.correlation')}>
        {correlation == null ? '–' : <Narrowed by="correlation" value={correlation} />}
      </Fact>
      <Fact label={t('operator.place')}>
        <Place stream={stream} seq={seq} />
      </Fact>
      <Fact label={t('operator.causedBy')}>{causation == null ? '–' : <Cause id={causation} />}</Fact>
      <Fact label={t('operator.ledTo')}>{correlation == null ? '–' : <Effects id={event.id} correlation={correlation} />}</Fact>
    </dl>
  )
}

function Narrowed({ by, value }: { by: string; value: string }) {
  return (
    <Anchor component={Link} to={paths.operator.events({ [by]: value })} inherit>
      {value}
    </Anchor>
  )
}

/** The place of an event: its stream, or the archive once it left the stream. */
function Place({ stream, seq }: { stream: string; seq: number }) {
  const t = useTexts()
  const { data } = useQuery(overviewQuery())
  const home = data?.streams.find(({ name }) => name === stream)
  return home?.archived != null && seq < home.firstSeq ? t('operator.inArchive') : t('operator.inStream')
}

function Cause({ id }: { id: string }) {
  const { data } = useQuery(eventByIdQuery(id))
  // The id alone until the event is found, or if the log does not have it.
  if (data == null) return id
  return <EventLink stream={data.stream} seq={data.seq} type={readEvent(data.event).type} />
}

function Effects({ id, correlation }: { id: string; correlation: string }) {
  const t = useTexts()
  const { data, isPending } = useQuery(effectsQuery(id, correlation))
  if (isPending) return '…'
  if (data === undefined || data.length === 0) return t('operator.nothing')
  return (
    <ul className={classes.effects}>
      {data.map(({ stream, seq, event }) => (
        <li key={eventKey({ stream, seq })}>
          <EventLink stream={stream} seq={seq} type={readEvent(event).type} />
        </li>
      ))}
    </ul>
  )
}

function EventLink({ stream, seq, type }: { stream: string; seq: number; type: string }) {
  return (
    <Anchor component={Link} to={paths.operator.events({ at: eventKey({ stream, seq }) })} inherit>
      {nameOf(type)} {eventKey({ stream, seq })}
    </Anchor>
  )
}
