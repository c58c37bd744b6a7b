import { Button, Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import type { ReplayView } from '@/api/generated/types.gen'
import { cancelRun, OPERATOR, pauseRun, resumeRun } from '@/api/operator'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { confirmByToast } from '@/ui/confirm'
import { toast } from '@/ui/toast'

import { isUnderWay } from './runs'

/** Halts what goes on, has it go on, or ends it. */
export function RunActions({ run }: { run: ReplayView }) {
  const t = useTexts()
  const queries = useQueryClient()
  const changing = useMutation({
    mutationFn: (change: (id: string) => Promise<unknown>) => change(run.replayId),
    onError: (error) => {
      toast.error(messageOf(error, t('operator.actFailed')))
    },
    onSettled: () => queries.invalidateQueries({ queryKey: OPERATOR }),
  })
  if (!isUnderWay(run)) return null
  const cancel = async () => {
    if (await confirmByToast(t('operator.cancelRun'))) changing.mutate(cancelRun)
  }
  return (
    <Group gap="xs">
      {run.state === 'running' && run.verb !== 'live' && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={changing.isPending}
          onClick={() => {
            changing.mutate(pauseRun)
          }}
        >
          {t('operator.pause')}
        </Button>
      )}
      {run.state === 'paused' && (
        <Button
          size="compact-sm"
          disabled={changing.isPending}
          onClick={() => {
            changing.mutate(resumeRun)
          }}
        >
          {t('operator.resume')}
        </Button>
      )}
      <Button size="compact-sm" variant="light" color="red" disabled={changing.isPending} onClick={() => void cancel()}>
        {t('operator.cancelIt')}
      </Button>
    </Group>
  )
}
