import { Button, Checkbox, Group } from '@mantine/core'
import { useState } from 'react'

import type { ConsumerView } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'
import { MoreButton } from '@/ui/MoreButton'

import type { CauseGroup } from './dead-letter-causes'
import { durationText, secondsSince } from './format'
import { DeadLetterRow } from './DeadLetterRow'
import classes from './dead-letters.module.css'
import type { DeadLetterAction } from './dead-letter-action'

interface Props {
  group: CauseGroup
  consumers: ConsumerView[]
  selected: ReadonlySet<number>
  onSelect: (chosen: ReadonlySet<number>) => void
  now: number
  onAction: (asked: DeadLetterAction) => void
}

/** The dead letters of a cause that are shown at once. */
const STEP = 20

/** Dead letters of one cause. */
export function DeadLetterGroup({ group, consumers, selected, onSelect, now, onAction }: Props) {
  const t = useTexts()
  const { cause, deadLetters, oldest, newest } = group
  const [isOpen, setOpen] = useState(true)
  const [shown, setShown] = useState(STEP)
  const age = (time: string) => durationText(secondsSince(time, now))
  const [from, to] = [age(oldest), age(newest)]
  const ages = from === to ? from : t('operator.agesFromTo', { from, to })
  const count = deadLetters.filter(({ seq }) => selected.has(seq)).length
  const setSelected = (seqs: number[], isChosen: boolean) => {
    const next = new Set(selected)
    for (const seq of seqs) {
      if (isChosen) next.add(seq)
      else next.delete(seq)
    }
    onSelect(next)
  }
  return (
    <section className={classes.group} aria-label={cause}>
      <div className={classes.cause}>
        <Checkbox
          size="md"
          aria-label={t('operator.selectAllOf', { cause })}
          checked={count === deadLetters.length}
          indeterminate={count > 0 && count < deadLetters.length}
          onChange={(event) => {
            setSelected(deadLetters.map(({ seq }) => seq), event.currentTarget.checked)
          }}
        />
        <div>
          <h2 className={classes.heading}>{cause}</h2>
          <p className={classes.quiet}>
            {t('operator.deadLettersOf', { count: deadLetters.length, ages, consumers: group.consumers.join(', ') })}
            {group.waiting > 0 && ` · ${t('operator.eventsWait', { count: group.waiting })}`}
          </p>
          <Group gap={6} mt={8}>
            {deadLetters.length > 1 && (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => {
                  onAction({ act: 'retry', deadLetters })
                }}
              >
                {t('operator.retryCause', { count: deadLetters.length })}
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
              {t(isOpen ? 'operator.fold' : 'operator.unfold', { count: deadLetters.length })}
            </Button>
          </Group>
        </div>
      </div>
      {isOpen && (
        <>
          <ul className={classes.list}>
            {deadLetters.slice(0, shown).map((deadLetter) => (
              <DeadLetterRow
                key={deadLetter.seq}
                deadLetter={deadLetter}
                cause={cause}
                consumer={consumers.find(({ name }) => name === deadLetter.consumer)}
                isSelected={selected.has(deadLetter.seq)}
                onSelect={(isChosen) => {
                  setSelected([deadLetter.seq], isChosen)
                }}
                age={age(deadLetter.time)}
                onAction={(act) => {
                  onAction({ act, deadLetters: [deadLetter] })
                }}
              />
            ))}
          </ul>
          {deadLetters.length > shown && (
            <MoreButton
              label={t('operator.moreOf', { count: deadLetters.length - shown })}
              onMore={() => {
                setShown(shown + STEP)
              }}
            />
          )}
        </>
      )}
    </section>
  )
}
