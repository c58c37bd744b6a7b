import { Anchor, Badge, Button, Checkbox, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import type { ConsumerView, DeadLetterView } from '@/api/generated/types.gen'
import { laterQuery } from '@/api/operator'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'

import { nameOf, readEvent } from './envelope'
import { isId } from './event-filter'
import { eventKey } from './event-key'
import { JsonTree } from './JsonTree'
import classes from './dead-letters.module.css'
import type { DeadLetterAction } from './dead-letter-action'
import { aggregateOf } from './settle-dead-letters'

interface Props {
  deadLetter: DeadLetterView
  /** The name of its group. */
  cause: string
  consumer: ConsumerView | undefined
  isSelected: boolean
  onSelect: (isChosen: boolean) => void
  age: string
  onAction: (act: DeadLetterAction['act']) => void
}

/** One dead letter: its event, the parked events behind it, its actions. */
export function DeadLetterRow({ deadLetter, cause, consumer, isSelected, onSelect, age, onAction }: Props) {
  const t = useTexts()
  const [isOpen, setOpen] = useState(false)
  const event = readEvent(deadLetter.event)
  const key = eventKey({ stream: deadLetter.stream, seq: deadLetter.streamSeq })
  const name = event.type === '' ? deadLetter.subject : nameOf(event.type)
  return (
    <li className={classes.deadLetter} aria-label={`${name} ${key}`}>
      <Checkbox
        size="md"
        aria-label={t('operator.selectDeadLetter', { event: key })}
        checked={isSelected}
        onChange={(change) => {
          onSelect(change.currentTarget.checked)
        }}
      />
      <div className={classes.what}>
        <strong>{name}</strong>{' '}
        <Anchor component={Link} to={paths.operator.events({ at: key })} className={classes.code ?? ''}>
          {key}
        </Anchor>
        {deadLetter.holdsUpDeletion && (
          <Badge color="red" variant="light" size="sm" ml={6}>
            {t('operator.holdsUpDeletion')}
          </Badge>
        )}
        <p className={classes.quiet}>
          {t('operator.deadLetterFacts', { consumer: deadLetter.consumer, attempts: deadLetter.attempts, age })}
          {deadLetter.waiting > 0 && ` · ${t('operator.eventsWait', { count: deadLetter.waiting })}`}
        </p>
        {deadLetter.reason !== cause && <p className={classes.reason}>{deadLetter.reason}</p>}
        <details
          onToggle={(toggled) => {
            setOpen(toggled.currentTarget.open)
          }}
        >
          <summary>{t('operator.deadLetterMore')}</summary>
          {isOpen && (
            <>
              <Waiting deadLetter={deadLetter} consumer={consumer} />
              <JsonTree value={deadLetter.event} label={t('operator.event')} />
            </>
          )}
        </details>
      </div>
      <Group gap={6} className={classes.acts ?? ''}>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('operator.retryOf', { event: key })}
          onClick={() => {
            onAction('retry')
          }}
        >
          {t('operator.retry')}
        </Button>
        {event.id !== '' && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t('operator.editOf', { event: key })}
            onClick={() => {
              onAction('edit')
            }}
          >
            {t('operator.edit')}
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="light"
          color="red"
          aria-label={t('operator.discardOf', { event: key })}
          onClick={() => {
            onAction('discard')
          }}
        >
          {t('operator.discard')}
        </Button>
      </Group>
    </li>
  )
}

/** The aggregate that waits for a dead letter to be settled, with its later events. */
function Waiting({ deadLetter, consumer }: { deadLetter: DeadLetterView; consumer: ConsumerView | undefined }) {
  const t = useTexts()
  const aggregate = aggregateOf(deadLetter)
  const { data } = useQuery({ ...laterQuery(deadLetter.stream, aggregate, deadLetter.streamSeq), enabled: isId(aggregate) })
  if (!isId(aggregate)) return <p className={classes.quiet}>{t('operator.nothingWaits')}</p>
  return (
    <div className={classes.waiting}>
      <p>
        {t('operator.aggregateWaits', { count: deadLetter.waiting })}{' '}
        <Anchor component={Link} to={paths.operator.events({ aggregate })} className={classes.code ?? ''}>
          {aggregate}
        </Anchor>
      </p>
      {data !== undefined && data.length > 0 && (
        <ul>
          {data.map((one) => (
            <li key={one.seq}>
              <Anchor component={Link} to={paths.operator.events({ at: eventKey(one) })} size="sm">
                {nameOf(readEvent(one.event).type)} {eventKey(one)}
              </Anchor>
            </li>
          ))}
        </ul>
      )}
      {consumer !== undefined && consumer.blocked > 0 && (
        <p className={classes.quiet}>
          {t('operator.consumerWaits', { consumer: consumer.name, aggregates: consumer.blocked, events: consumer.parked })}
        </p>
      )}
    </div>
  )
}
