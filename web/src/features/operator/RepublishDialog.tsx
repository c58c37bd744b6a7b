import { NativeSelect } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { OPERATOR, republishFrom } from '@/api/operator'
import { useTexts } from '@/lib/texts'
import { toast } from '@/ui/toast'

import { ReasonDialog } from './ReasonDialog'

/** Republishes lost events from the services' outboxes. */
export function RepublishDialog({ services, onClose }: { services: string[]; onClose: () => void }) {
  const t = useTexts()
  const queries = useQueryClient()
  const [service, setService] = useState('')
  return (
    <ReasonDialog
      title={t('operator.republish')}
      message={t('operator.republishMessage')}
      confirm={t('operator.republish')}
      act={async (reason) => {
        await republishFrom(service, reason)
        toast.success(t('operator.begun'))
        void queries.invalidateQueries({ queryKey: OPERATOR })
      }}
      onClose={onClose}
    >
      <NativeSelect
        label={t('operator.service')}
        value={service}
        data={[{ value: '', label: t('operator.allServices') }, ...services]}
        onChange={(event) => {
          setService(event.currentTarget.value)
        }}
      />
    </ReasonDialog>
  )
}
