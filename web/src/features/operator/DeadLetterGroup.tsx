import { Button, Checkbox } from '@mantine/core'

import type { ConsumerView } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'

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

/** Dead letters of one cause. */
export function DeadLetterGroup({ group, consumers, selected, onSelect, now, onAction }: Props) {
  const t = useTexts()
  const { cause, letters, oldest, newest } = group
  const age = (time: string) => durationText(secondsSince(time, now))
  const [from, to] = [age(oldest), age(newest)]
  const ages = from === to ? from : t('operator.agesFromTo', { from, to })
  const count = letters.filter(({ seq }) => selected.has(seq)).length
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
          checked={count === letters.length}
          indeterminate={count > 0 && count < letters.length}
          onChange={(event) => {
            setSelected(letters.map(({ seq }) => seq), event.currentTarget.checked)
          }}
        />
        <div>
          <h2 className={classes.heading}>{cause}</h2>
          <p className={classes.quiet}>
            {t('operator.lettersOf', { count: letters.length, ages, consumers: group.consumers.join(', ') })}
            {group.waiting > 0 && ` · ${t('operator.eventsWait', { count: group.waiting })}`}
          </p>
          {letters.length > 1 && (
            <Button
              mt={8}
              size="compact-sm"
              variant="default"
              onClick={() => {
                onAction({ act: 'retry', letters })
              }}
            >
              {t('operator.retryCause', { count: letters.length })}
            </Button>
          )}
        </div>
      </div>
      <ul className={classes.letters}>
        {letters.map((letter) => (
          <DeadLetterRow
            key={letter.seq}
            letter={letter}
            cause={cause}
            consumer={consumers.find(({ name }) => name === letter.consumer)}
            isSelected={selected.has(letter.seq)}
            onSelect={(isChosen) => {
              setSelected([letter.seq], isChosen)
            }}
            age={age(letter.time)}
            onAction={(act) => {
              onAction({ act, letters: [letter] })
            }}
          />
        ))}
      </ul>
    </section>
  )
}
