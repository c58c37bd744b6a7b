import { Button, Group, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'

import type { DryRun } from '@/api/generated/types.gen'
import { useTexts } from '@/lib/texts'

import { isMasked } from './envelope'
import { countText } from './format'
import { CONFIRM_ABOVE } from './replay-request'
import { readChanges } from './row-diff'
import { RowChanges } from './RowChanges'
import classes from './operations.module.css'
import { FailureReasons } from './FailureReasons'

interface Props {
  result: DryRun
  consumer: string
  isBeginning: boolean
  /** The service's refusal of the typed number. */
  error: string | undefined
  onBegin: (confirm: number | null) => void
  /** Shows the personal fields of the rows, as they were asked for. */
  isRevealed: boolean
  onReveal: () => void
}

/** The changes that a replay would make, and the button that makes them. */
export function DryRunResult({ result, consumer, isBeginning, error, onBegin, isRevealed, onReveal }: Props) {
  const t = useTexts()
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const { matched, skipped, failed, rows, failures } = result
  const changes = readChanges(result.changes)
  const isMany = matched > CONFIRM_ABOVE
  const number = Number(typed.replace(/[\s,.]/g, ''))
  const begin = (event: FormEvent) => {
    event.preventDefault()
    setWrong(isMany && number !== matched)
    if (!isMany) onBegin(null)
    else if (number === matched) onBegin(matched)
  }
  const figures: [label: string, value: number][] = [
    [t('operator.matched'), matched],
    [t('operator.newToIt'), matched - skipped - failed],
    [t('operator.handledBefore'), skipped],
    [t('operator.wouldFail'), failed],
    [t('operator.rowsChange'), rows],
  ]
  return (
    <div className={classes.dryRun} role="region" aria-label={t('operator.dryRun')}>
      <div role="status">
        <dl className={classes.figures}>
          {figures.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{countText(value)}</dd>
            </div>
          ))}
        </dl>
      </div>
      {rows === 0 && <Text size="sm">{t('operator.nothingChanges', { consumer })}</Text>}
      <FailureReasons failures={failures} isOpen />
      {changes.length > 0 && (
        <details open={changes.length <= 10}>
          <summary>
            {changes.length < rows ? t('operator.firstRows', { shown: changes.length, rows: countText(rows) }) : t('operator.rowsThatChange', { count: rows })}
          </summary>
          {isRevealed && <Text size="sm">{t('operator.dryRevealed')}</Text>}
          {isMasked(result.changes) && (
            <Group gap="sm" my={6}>
              <Text size="sm">{t('operator.dryMasked')}</Text>
              <Button size="compact-sm" variant="default" onClick={onReveal}>
                {t('operator.reveal')}
              </Button>
            </Group>
          )}
          <RowChanges changes={changes} />
        </details>
      )}
      <Title order={3} size="h5">
        {t('operator.forGood')}
      </Title>
      <form onSubmit={begin} noValidate>
        <Group align="start" gap="sm">
          {isMany && (
            <TextInput
              label={t('operator.typeToConfirm', { count: String(matched) })}
              inputMode="numeric"
              value={typed}
              maxLength={15}
              error={error ?? (isWrong && t('operator.notTheNumber', { count: String(matched) }))}
              onChange={(event) => {
                setTyped(event.currentTarget.value)
                setWrong(false)
              }}
            />
          )}
          <Button type="submit" color="red.9" loading={isBeginning} mt={isMany ? 24 : 0}>
            {t('operator.startReplay', { count: matched })}
          </Button>
        </Group>
      </form>
    </div>
  )
}
