import { NumberInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { archiveNow, OPERATOR } from '@/api/operator'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

import { ReasonDialog } from './ReasonDialog'

/** The largest age in days that the service takes. */
const MAX_DAYS = 36_500

/** Moves old events to the archive now. */
export function ArchiveDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts()
  const queries = useQueryClient()
  const [days, setDays] = useState<number | string>('')
  return (
    <ReasonDialog
      title={t('operator.archiveNow')}
      message={t('operator.archiveMessage')}
      confirm={t('operator.archiveNow')}
      act={async (reason) => {
        await archiveNow(typeof days === 'number' ? days : null, reason)
        toast.success(t('operator.begun'))
        void queries.invalidateQueries({ queryKey: OPERATOR })
      }}
      onClose={onClose}
    >
      <NumberInput
        label={t('operator.archiveDays')}
        description={t('operator.archiveDaysHint')}
        value={days}
        min={0}
        max={MAX_DAYS}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        onChange={setDays}
      />
    </ReasonDialog>
  )
}
