import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import type { LetterView } from '@/api/generated/types.gen'
import { discardOne, lettersQuery, OPERATOR, retryOne, standingQuery } from '@/api/operator'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Empty, Failure, Loading } from '@/ui/states'
import { toast } from '@/ui/toast'

import { byCause } from './causes'
import { EditDialog } from './EditDialog'
import { LetterGroup } from './LetterGroup'
import classes from './letters.module.css'
import { ReasonDialog } from './ReasonDialog'
import { type Outcome, settleAll } from './settle'

/** No event tells of a new dead letter: they are asked for this often, in milliseconds, while the page is seen. */
const EVERY = 5_000

/** The actions on dead letters: several at once are retried or discarded, one is corrected. */
export interface Asked {
  act: 'retry' | 'discard' | 'edit'
  letters: LetterView[]
}

/** The dead letters that are not settled. */
export function LettersPage() {
  const t = useTexts()
  const queries = useQueryClient()
  const { data, error, isPending, isSuccess, refetch, dataUpdatedAt } = useQuery({ ...lettersQuery(), refetchInterval: EVERY })
  const { data: standing } = useQuery({ ...standingQuery(), refetchInterval: EVERY, enabled: data !== undefined && data.length > 0 })
  const [chosen, choose] = useState<ReadonlySet<number>>(new Set())
  const [asked, ask] = useState<Asked | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const consumers = standing?.streams.flatMap((stream) => stream.consumers) ?? []
  const deletions = data?.filter(({ holdsUpDeletion }) => holdsUpDeletion).length ?? 0
  const selected = data?.filter(({ seq }) => chosen.has(seq)) ?? []
  const close = () => {
    ask(null)
    void queries.invalidateQueries({ queryKey: OPERATOR })
  }
  const settle = async (act: 'retry' | 'discard', letters: LetterView[], reason: string) => {
    const one = act === 'retry' ? retryOne : discardOne
    const ended = await settleAll(letters, (letter) => one(letter.seq, reason), t('operator.actFailed'))
    choose(new Set())
    setOutcome(ended.refused.length > 0 ? ended : null)
    toast.success(t(act === 'retry' ? 'operator.retried' : 'operator.discarded', { count: ended.settled }))
  }
  return (
    <Page title={t('operator.letters')} lead={t('operator.lettersLead')} size="fluid">
      {isPending && <Loading />}
      {error !== null && <Failure message={messageOf(error, t('operator.lettersFailed'))} retry={() => void refetch()} />}
      {isSuccess && data.length === 0 && <Empty text={t('operator.lettersEmpty')} hint={t('operator.lettersEmptyHint')} art="empty-list" />}
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
            {outcome.refused.map(({ letter, reason }) => (
              <li key={letter.seq}>
                {letter.stream}/{letter.streamSeq}: {reason}
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
              ask({ act: 'retry', letters: selected })
            }}
          >
            {t('operator.retrySelected')}
          </Button>
          <Button
            size="compact-sm"
            color="red.9"
            onClick={() => {
              ask({ act: 'discard', letters: selected })
            }}
          >
            {t('operator.discardSelected')}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => {
              choose(new Set())
            }}
          >
            {t('operator.selectNone')}
          </Button>
        </Group>
      )}
      <Stack gap="md">
        {byCause(data ?? []).map((group) => (
          <LetterGroup
            key={group.cause}
            group={group}
            consumers={consumers}
            chosen={chosen}
            onChoose={choose}
            now={dataUpdatedAt}
            onAsk={ask}
          />
        ))}
      </Stack>
      {asked?.act === 'edit' && asked.letters[0] !== undefined && <EditDialog letter={asked.letters[0]} onClose={close} />}
      {asked !== null && asked.act !== 'edit' && (
        <ReasonDialog
          title={t(asked.act === 'retry' ? 'operator.retryTitle' : 'operator.discardTitle', { count: asked.letters.length })}
          message={t(asked.act === 'retry' ? 'operator.retryMessage' : 'operator.discardMessage')}
          confirm={t(asked.act === 'retry' ? 'operator.retry' : 'operator.discard')}
          isGrave={asked.act === 'discard'}
          act={(reason) => settle(asked.act === 'retry' ? 'retry' : 'discard', asked.letters, reason)}
          onClose={close}
        />
      )}
    </Page>
  )
}
