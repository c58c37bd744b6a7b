import { Button, Checkbox, Group } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { ConsumerView, DeadLetterCause, DeadLetterView } from '@/api/generated/types.gen'
import { deadLettersQuery } from '@/api/operator'
import { fetchNext } from '@/api/pages'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { MoreButton } from '@/ui/MoreButton'
import { Failure, Loading } from '@/ui/states'

import { DeadLetterRow } from './DeadLetterRow'
import { durationText, secondsSince } from './format'
import classes from './dead-letters.module.css'
import type { DeadLetterAction } from './dead-letter-action'

interface Props {
  cause: DeadLetterCause
  consumers: ConsumerView[]
  /** The interval of fetching the shown ones, in milliseconds. */
  pollInterval: number
  selected: ReadonlyMap<number, DeadLetterView>
  onSelect: (chosen: ReadonlyMap<number, DeadLetterView>) => void
  now: number
  onAction: (asked: DeadLetterAction) => void
}

/** Dead letters of one cause. */
export function DeadLetterGroup({ cause, consumers, pollInterval, selected, onSelect, now, onAction }: Props) {
  const t = useTexts()
  const { cause: text, count, oldest, newest } = cause
  const [isOpen, setOpen] = useState(true)
  const found = useInfiniteQuery({ ...deadLettersQuery(cause.id), enabled: isOpen, refetchInterval: isOpen && pollInterval })
  const deadLetters = found.data?.pages.flatMap((page) => page.rows) ?? []
  const age = (time: string) => durationText(secondsSince(time, now))
  const [from, to] = [age(oldest), age(newest)]
  const ages = from === to ? from : t('operator.agesFromTo', { from, to })
  const chosen = deadLetters.filter(({ seq }) => selected.has(seq)).length
  const setSelected = (changed: DeadLetterView[], isChosen: boolean) => {
    const next = new Map(selected)
    for (const one of changed) {
      if (isChosen) next.set(one.seq, one)
      else next.delete(one.seq)
    }
    onSelect(next)
  }
  return (
    <section className={classes.group} aria-label={text}>
      <div className={classes.cause}>
        <Checkbox
          size="md"
          aria-label={t(found.hasNextPage ? 'operator.selectShownOf' : 'operator.selectAllOf', { cause: text })}
          disabled={deadLetters.length === 0}
          checked={chosen > 0 && chosen === deadLetters.length}
          indeterminate={chosen > 0 && chosen < deadLetters.length}
          onChange={(event) => {
            setSelected(deadLetters, event.currentTarget.checked)
          }}
        />
        <div>
          <h2 className={classes.heading}>{text}</h2>
          <p className={classes.quiet}>
            {t('operator.deadLettersOf', { count, ages, consumers: cause.consumers.join(', ') })}
            {cause.waiting > 0 && ` · ${t('operator.eventsWait', { count: cause.waiting })}`}
          </p>
          <Group gap={6} mt={8}>
            {count > 1 && (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => {
                  onAction({ act: 'retry', cause })
                }}
              >
                {t('operator.retryCause', { count })}
              </Button>
            )}
            <Button
              size="compact-sm"
              variant="subtle"
              aria-expanded={isOpen}
              onClick={() => {
                setOpen(!isOpen)
              }}
            >
              {t(isOpen ? 'operator.fold' : 'operator.unfold', { count })}
            </Button>
          </Group>
        </div>
      </div>
      {isOpen && (
        <>
          {found.isPending && <Loading />}
          {found.error !== null && (
            <Failure message={messageOf(found.error, t('operator.deadLettersFailed'))} retry={() => void found.refetch()} />
          )}
          <ul className={classes.list}>
            {deadLetters.map((deadLetter) => (
              <DeadLetterRow
                key={deadLetter.seq}
                deadLetter={deadLetter}
                cause={text}
                consumer={consumers.find(({ name }) => name === deadLetter.consumer)}
                isSelected={selected.has(deadLetter.seq)}
                onSelect={(isChosen) => {
                  setSelected([deadLetter], isChosen)
                }}
                age={age(deadLetter.time)}
                onAction={(act) => {
                  onAction({ act, deadLetters: [deadLetter] })
                }}
              />
            ))}
          </ul>
          {found.hasNextPage && (
            <MoreButton
              label={t('operator.moreOf', { count: Math.max(count - deadLetters.length, 0) })}
              isLoading={found.isFetchingNextPage}
              onMore={() => void fetchNext(found)}
            />
          )}
        </>
      )}
    </section>
  )
}
