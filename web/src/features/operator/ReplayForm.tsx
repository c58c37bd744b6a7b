import { Button, Group, NativeSelect, TextInput, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'

import type { DryRun, Standing } from '@/api/generated/types.gen'
import { beginReplay, dryRun, OPERATOR } from '@/api/operator'
import { isProblem, messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { Failure } from '@/ui/states'
import { toast } from '@/ui/toast'

import { DryRunResult } from './DryRunResult'
import { BoundField } from './BoundField'
import { countText } from './format'
import { ReasonDialog } from './ReasonDialog'
import { ReasonField } from './ReasonField'
import { faultsOf, type Field, fieldOf, newReplay, requestOf, type ReplayDraft } from './replay-request'
import classes from './operations.module.css'
import { replayable, streamNames } from './streams'

/** The form of subjects. */
const SUBJECTS = 'tiffin.order.*.placed'

interface Props {
  overview: Standing
  stream: string
  consumer: string
  onDone: () => void
}

/** A replay: a dry run first, then the replay itself. */
export function ReplayForm({ overview, stream, consumer, onDone }: Props) {
  const t = useTexts()
  const queries = useQueryClient()
  const [wanted, setWanted] = useState<ReplayDraft>(() => newReplay(stream, consumer))
  const [checkedFor, setCheckedFor] = useState<'dry-run' | 'replay' | null>(null)
  const [isRevealing, setRevealing] = useState(false)
  const [revealed, setRevealed] = useState<DryRun | null>(null)
  const trying = useMutation({ mutationFn: () => dryRun(requestOf(wanted, { dryRun: true })) })
  const beginning = useMutation({
    mutationFn: (confirm: number | null) => beginReplay(requestOf(wanted, { confirm })),
    onSuccess: ({ matched }) => {
      void queries.invalidateQueries({ queryKey: OPERATOR })
      toast.success(t('operator.replayBegun', { count: countText(matched) }))
      onDone()
    },
  })
  const change = (more: Partial<ReplayDraft>) => {
    setWanted({ ...wanted, ...more })
    // The last dry run was of another request.
    trying.reset()
    setRevealed(null)
    beginning.reset()
  }
  const faults = checkedFor === null ? {} : faultsOf(wanted, checkedFor === 'dry-run')
  const refusal = beginning.error ?? trying.error
  const refusedAt = isProblem(refusal) ? fieldOf(refusal, wanted) : null
  const error = (field: Field) => {
    const fault = faults[field]
    if (fault !== undefined) return t(fault)
    return refusedAt === field ? messageOf(refusal, t('operator.actFailed')) : undefined
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setCheckedFor('dry-run')
    setRevealed(null)
    if (Object.keys(faultsOf(wanted, true)).length === 0) trying.mutate()
  }
  const begin = (confirm: number | null) => {
    setCheckedFor('replay')
    if (Object.keys(faultsOf(wanted, false)).length === 0) beginning.mutate(confirm)
  }
  const consumers = replayable(overview.streams.find((one) => one.name === wanted.stream))
  return (
    <section className={classes.form} aria-labelledby="new-replay">
      <Title order={2} size="h3" id="new-replay" mb="sm">
        {t('operator.newReplay')}
      </Title>
      <form onSubmit={submit} noValidate>
        <div className={classes.fields}>
          <NativeSelect
            label={t('operator.stream')}
            value={wanted.stream}
            data={[{ value: '', label: t('operator.choose') }, ...streamNames(overview)]}
            error={error('stream')}
            onChange={(event) => {
              change({ stream: event.currentTarget.value, consumer: '' })
            }}
          />
          <NativeSelect
            label={t('operator.consumer')}
            value={wanted.consumer}
            data={[{ value: '', label: t('operator.choose') }, ...new Set([...consumers, wanted.consumer].filter((name) => name !== ''))]}
            error={error('consumer')}
            onChange={(event) => {
              change({ consumer: event.currentTarget.value })
            }}
          />
          <BoundField
            label={t('operator.from')}
            end={t('operator.theFirst')}
            bound={wanted.from}
            error={error('from')}
            onChange={(from) => {
              change({ from })
            }}
          />
          <BoundField
            label={t('operator.to')}
            end={t('operator.theLast')}
            bound={wanted.to}
            error={error('to')}
            onChange={(to) => {
              change({ to })
            }}
          />
          <TextInput
            label={t('operator.filter')}
            placeholder={SUBJECTS}
            value={wanted.filter}
            maxLength={200}
            spellCheck={false}
            error={error('filter')}
            onChange={(event) => {
              change({ filter: event.currentTarget.value })
            }}
          />
          <TextInput
            label={t('operator.rate')}
            placeholder={t('operator.rateNone')}
            inputMode="numeric"
            value={wanted.rate}
            maxLength={9}
            error={error('rate')}
            onChange={(event) => {
              change({ rate: event.currentTarget.value })
            }}
          />
          <ReasonField
            className={classes.whole ?? ''}
            value={wanted.reason}
            minRows={1}
            error={error('reason')}
            onChange={(reason) => {
              setWanted({ ...wanted, reason })
            }}
          />
        </div>
        {refusal !== null && refusedAt === null && <Failure message={messageOf(refusal, t('operator.actFailed'))} />}
        <Group gap="sm" mt="md">
          <Button type="submit" variant={trying.data === undefined ? 'filled' : 'default'} loading={trying.isPending}>
            {t('operator.dryRun')}
          </Button>
          <Button variant="subtle" onClick={onDone}>
            {t('operator.leave')}
          </Button>
        </Group>
      </form>
      {trying.data !== undefined && (
        <DryRunResult
          result={revealed ?? trying.data}
          isRevealed={revealed !== null}
          onReveal={() => {
            setRevealing(true)
          }}
          consumer={wanted.consumer}
          isBeginning={beginning.isPending}
          error={error('confirm')}
          onBegin={begin}
        />
      )}
      {isRevealing && (
        <ReasonDialog
          title={t('operator.reveal')}
          message={t('operator.dryRevealMessage')}
          confirm={t('operator.show')}
          initialReason={wanted.reason}
          act={async (reason) => {
            setRevealed(await dryRun({ ...requestOf({ ...wanted, reason }, { dryRun: true }), reveal: true }))
          }}
          onClose={() => {
            setRevealing(false)
          }}
        />
      )}
    </section>
  )
}
