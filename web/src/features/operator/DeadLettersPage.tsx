import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import type { DeadLetterView } from '@/api/generated/types.gen'
import { discardDeadLetter, deadLettersQuery, OPERATOR, retryDeadLetter, overviewQuery } from '@/api/operator'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { MoreButton } from '@/ui/MoreButton'
import { Page } from '@/ui/Page'
import { Empty, Failure, Loading } from '@/ui/states'
import { toast } from '@/ui/toast'

import type { DeadLetterAction } from './dead-letter-action'
import { groupByCause } from './dead-letter-causes'
import { EditDialog } from './EditDialog'
import { DeadLetterGroup } from './DeadLetterGroup'
import classes from './dead-letters.module.css'
import { ReasonDialog } from './ReasonDialog'
import { type Outcome, settleDeadLetters } from './settle-dead-letters'

/** The interval of fetching dead letters while the page is visible, in milliseconds. No hint of a new one comes. */
const POLL_INTERVAL = 5_000
/** The causes that are shown at once. */
const STEP = 10

/** The dead letters that are not settled. */
export function DeadLettersPage() {
  const t = useTexts()
  const queries = useQueryClient()
  const { data, error, isPending, isSuccess, refetch, dataUpdatedAt } = useQuery({ ...deadLettersQuery(), refetchInterval: POLL_INTERVAL })
  const { data: overview } = useQuery({ ...overviewQuery(), refetchInterval: POLL_INTERVAL, enabled: data !== undefined && data.length > 0 })
  const [selection, setSelection] = useState<ReadonlySet<number>>(new Set())
  const [action, setAction] = useState<DeadLetterAction | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [shown, setShown] = useState(STEP)
  const groups = useMemo(() => groupByCause(data ?? []), [data])
  const consumers = overview?.streams.flatMap((stream) => stream.consumers) ?? []
  const deletions = data?.filter(({ holdsUpDeletion }) => holdsUpDeletion).length ?? 0
  const selected = data?.filter(({ seq }) => selection.has(seq)) ?? []
  const close = () => {
    setAction(null)
    void queries.invalidateQueries({ queryKey: OPERATOR })
  }
  const settle = async (act: 'retry' | 'discard', deadLetters: DeadLetterView[], reason: string) => {
    const one = act === 'retry' ? retryDeadLetter : discardDeadLetter
    const ended = await settleDeadLetters(deadLetters, (deadLetter) => one(deadLetter.seq, reason), t('operator.actFailed'))
    setSelection(new Set())
    setOutcome(ended.refused.length > 0 ? ended : null)
    toast.success(t(act === 'retry' ? 'operator.retried' : 'operator.discarded', { count: ended.settled }))
  }
  return (
    <Page title={t('operator.deadLetters')} lead={t('operator.deadLettersLead')} size="fluid">
      {isPending && <Loading />}
      {error !== null && <Failure message={messageOf(error, t('operator.deadLettersFailed'))} retry={() => void refetch()} />}
      {isSuccess && data.length === 0 && <Empty text={t('operator.deadLettersEmpty')} hint={t('operator.deadLettersEmptyHint')} art="empty-list" />}
      {deletions > 0 && <Alert color="red">{t('operator.holdsUpDeletionHint', { count: deletions })}</Alert>}
      {outcome !== null && (
        <Alert
          color="red"
          title={t('operator.someRefused', { settled: outcome.settled, refused: outcome.refused.length })}
          withCloseButton
          closeButtonLabel={t('operator.close')}
          onClose={() => {
            setOutcome(null)
          }}
        >
          <ul className={classes.refused}>
            {outcome.refused.map(({ deadLetter, reason }) => (
              <li key={deadLetter.seq}>
                {deadLetter.stream}/{deadLetter.streamSeq}: {reason}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      {selected.length > 0 && (
        <Group className={classes.bar ?? ''} role="region" aria-label={t('operator.selection')}>
          <Text size="sm" fw={600} role="status">
            {t('operator.selected', { count: selected.length })}
          </Text>
          <Button
            size="compact-sm"
            onClick={() => {
              setAction({ act: 'retry', deadLetters: selected })
            }}
          >
            {t('operator.retrySelected')}
          </Button>
          <Button
            size="compact-sm"
            color="red.9"
            onClick={() => {
              setAction({ act: 'discard', deadLetters: selected })
            }}
          >
            {t('operator.discardSelected')}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => {
              setSelection(new Set())
            }}
          >
            {t('operator.selectNone')}
          </Button>
        </Group>
      )}
      <Stack gap="md">
        {groups.slice(0, shown).map((group) => (
          <DeadLetterGroup
            key={group.cause}
            group={group}
            consumers={consumers}
            selected={selection}
            onSelect={setSelection}
            now={dataUpdatedAt}
            onAction={setAction}
          />
        ))}
      </Stack>
      {groups.length > shown && (
        <MoreButton
          label={t('operator.moreCauses', { count: groups.length - shown })}
          onMore={() => {
            setShown(shown + STEP)
          }}
        />
      )}
      {action?.act === 'edit' && action.deadLetters[0] !== undefined && <EditDialog deadLetter={action.deadLetters[0]} onClose={close} />}
      {action !== null && action.act !== 'edit' && (
        <ReasonDialog
          title={t(action.act === 'retry' ? 'operator.retryTitle' : 'operator.discardTitle', { count: action.deadLetters.length })}
          message={t(action.act === 'retry' ? 'operator.retryMessage' : 'operator.discardMessage')}
          confirm={t(action.act === 'retry' ? 'operator.retry' : 'operator.discard')}
          isGrave={action.act === 'discard'}
          act={(reason) => settle(action.act === 'retry' ? 'retry' : 'discard', action.deadLetters, reason)}
          onClose={close}
        />
      )}
    </Page>
  )
}
