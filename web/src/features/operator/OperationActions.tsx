import { Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import type { ReplayView } from '@/api/generated/types.gen'
import { cancelOperation, OPERATOR, pauseOperation, resumeOperation } from '@/api/operator'
import { type TextId, useTexts } from '@/lib/texts'

import { ReasonDialog } from './ReasonDialog'
import { isUnderWay } from './operation-progress'

interface Change {
  label: TextId
  message: TextId
  act: (id: string, reason: string) => Promise<unknown>
}

const PAUSE: Change = { label: 'operator.pause', message: 'operator.pauseMessage', act: pauseOperation }
const RESUME: Change = { label: 'operator.resume', message: 'operator.resumeMessage', act: resumeOperation }
/** The operations that can't be paused. */
const ONLY_STOPPED = ['archive', 'live']
const CANCEL: Change = { label: 'operator.cancelIt', message: 'operator.cancelMessage', act: cancelOperation }

/** Pauses, resumes or cancels an operation under way. */
export function OperationActions({ operation }: { operation: ReplayView }) {
  const t = useTexts()
  const queries = useQueryClient()
  const [asked, setAsked] = useState<Change | null>(null)
  if (!isUnderWay(operation) && asked === null) return null
  const change = operation.state === 'paused' ? RESUME : PAUSE
  return (
    <Group gap="xs">
      {!ONLY_STOPPED.includes(operation.verb) && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            setAsked(change)
          }}
        >
          {t(change.label)}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="light"
        color="red"
        onClick={() => {
          setAsked(CANCEL)
        }}
      >
        {t(CANCEL.label)}
      </Button>
      {asked !== null && (
        <ReasonDialog
          title={t(asked.label)}
          message={t(asked.message)}
          confirm={t(asked.label)}
          isGrave={asked === CANCEL}
          act={async (reason) => {
            await asked.act(operation.replayId, reason)
            await queries.invalidateQueries({ queryKey: OPERATOR })
          }}
          onClose={() => {
            setAsked(null)
          }}
        />
      )}
    </Group>
  )
}
