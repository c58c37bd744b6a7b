import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { OPERATOR, verifyModel } from '@/api/operator'
import { messageOf } from '@/api/problem'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

import { ReasonDialog } from './ReasonDialog'

/** Verifies each of the models, with one reason. One that is refused does not stop the others. */
export function VerifyAll({ models }: { models: string[] }) {
  const t = useTexts()
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const verify = async (reason: string) => {
    let begun = 0
    for (const model of models) {
      try {
        await verifyModel(model, reason)
        begun += 1
      } catch (cause) {
        toast.error(`${model}: ${messageOf(cause, t('operator.actFailed'))}`)
      }
    }
    if (begun > 0) toast.success(t('operator.verificationsBegun', { count: begun }))
    void queries.invalidateQueries({ queryKey: OPERATOR })
  }
  return (
    <>
      <Button
        variant="default"
        disabled={models.length === 0}
        onClick={() => {
          setAsking(true)
        }}
      >
        {t('operator.verifyAll')}
      </Button>
      {isAsking && (
        <ReasonDialog
          title={t('operator.verifyAll')}
          message={t('operator.verifyAllMessage', { models: models.join(', ') })}
          confirm={t('operator.verify')}
          act={verify}
          onClose={() => {
            setAsking(false)
          }}
        />
      )}
    </>
  )
}
