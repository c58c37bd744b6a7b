import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import type { DeadLetterView } from '@/api/generated/types.gen'
import { deadLetterCausesQuery, deadLettersOf, discardDeadLetter, OPERATOR, overviewQuery, retryDeadLetter } from '@/api/operator'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { MoreButton } from '@/ui/MoreButton'
import { Page } from '@/ui/Page'
import { Empty, Failure, Loading } from '@/ui/states'
import { toast } from '@/ui/toast'

import { countOf, type DeadLetterAction } from './dead-letter-action'
import { EditDialog } from './EditDialog'
import { DeadLetterGroup } from './DeadLetterGroup'
import classes from './dead-letters.module.css'
import { ReasonDialog } from './ReasonDialog'
import { type Outcome, settleDeadLetters } from './settle-dead-letters'

/** The interval of fetching causes while the page is visible, in milliseconds. No hint of a new one comes. */
const POLL_INTERVAL = 5_000
/** The causes that are shown at once. */
const STEP = 10

/** The dead letters that are not settled. */
export function DeadLettersPage() {
  const t = useTexts()
  const queries = useQueryClient()
  const { data, error, isPending, isSuccess, refetch, dataUpdatedAt } = useQuery({ ...deadLetterCausesQuery(), refetchInterval: POLL_INTERVAL })
  const { data: overview } = useQuery({ ...overviewQuery(), refetchInterval: POLL_INTERVAL, enabled: data !== undefined && data.length > 0 })
  const [selection, setSelection] = useState<ReadonlyMap<number, DeadLetterView>>(new Map())
  const [action, setAction] = useState<DeadLetterAction | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [shown, setShown] = useState(STEP)
  const causes = data ?? []
  const consumers = overview?.streams.flatMap((stream) => stream.consumers) ?? []
  const deletions = causes.reduce((sum, one) => sum + one.deletions, 0)
  const selected = [...selection.values()]
  const close = () => {
    setAction(null)
    void queries.invalidateQueries({ queryKey: OPERATOR })
  }
  const settle = async (asked: DeadLetterAction, reason: string) => {
    const one = asked.act === 'retry' ? retryDeadLetter : discardDeadLetter
    const deadLetters = 'cause' in asked ? await deadLettersOf(asked.cause.id) : asked.deadLetters
    const ended = await settleDeadLetters(deadLetters, (deadLetter) => one(deadLetter.seq, reason), t('operator.actFailed'))
    setSelection(new Map())
    setOutcome(ended.refused.length > 0 ? ended : null)
    toast.success(t(asked.act === 'retry' ? 'operator.retried' : 'operator.discarded', { count: ended.settled }))
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
              setSelection(new Map())
            }}
          >
            {t('operator.selectNone')}
          </Button>
        </Group>
      )}
      <Stack gap="md">
        {causes.slice(0, shown).map((cause) => (
          <DeadLetterGroup
            key={cause.id}
            cause={cause}
            consumers={consumers}
            pollInterval={POLL_INTERVAL}
            selected={selection}
            onSelect={setSelection}
            now={dataUpdatedAt}
            onAction={setAction}
          />
        ))}
      </Stack>
      {causes.length > shown && (
        <MoreButton
          label={t('operator.moreCauses', { count: causes.length - shown })}
          onMore={() => {
            setShown(shown + STEP)
          }}
        />
      )}
      {action?.act === 'edit' && action.deadLetters[0] !== undefined && <EditDialog deadLetter={action.deadLetters[0]} onClose={close} />}
      {action !== null && action.act !== 'edit' && (
        <ReasonDialog
          title={t(action.act === 'retry' ? 'operator.retryTitle' : 'operator.discardTitle', { count: countOf(action) })}
          message={t(action.act === 'retry' ? 'operator.retryMessage' : 'operator.discardMessage')}
          confirm={t(action.act === 'retry' ? 'operator.retry' : 'operator.discard')}
          isGrave={action.act === 'discard'}
          act={(reason) => settle(action, reason)}
          onClose={close}
        />
      )}
    </Page>
  )
}
