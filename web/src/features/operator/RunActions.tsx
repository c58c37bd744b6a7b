import { Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import type { ReplayView } from '@/api/generated/types.gen'
import { cancelRun, OPERATOR, pauseRun, resumeRun } from '@/api/operator'
import { type TextId, useTexts } from '@/lib/texts'

import { ReasonDialog } from './ReasonDialog'
import { isUnderWay } from './runs'

interface Change {
  label: TextId
  message: TextId
  act: (id: string, reason: string) => Promise<unknown>
}

const PAUSE: Change = { label: 'operator.pause', message: 'operator.pauseMessage', act: pauseRun }
const RESUME: Change = { label: 'operator.resume', message: 'operator.resumeMessage', act: resumeRun }
const CANCEL: Change = { label: 'operator.cancelIt', message: 'operator.cancelRun', act: cancelRun }

/** Pauses, resumes or cancels a running action. */
export function RunActions({ run }: { run: ReplayView }) {
  const t = useTexts()
  const queries = useQueryClient()
  const [asked, setAsked] = useState<Change | null>(null)
  if (!isUnderWay(run) && asked === null) return null
  const change = run.state === 'paused' ? RESUME : PAUSE
  return (
    <Group gap="xs">
      {run.verb !== 'live' && (
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
            await asked.act(run.replayId, reason)
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
