import { NativeSelect } from '@mantine/core'
import { useState } from 'react'

import { ReasonDialog } from '@/features/operator/ReasonDialog'
import { useTexts } from '@/lib/texts'

import { SPEEDS } from './clock'

interface Props {
  order: string
  begin: (reason: string, speed: number) => Promise<void>
  onClose: () => void
}

/** Asks why an order's history is to be replayed, and how fast. */
export function ReplayDialog({ order, begin, onClose }: Props) {
  const t = useTexts()
  const [speed, setSpeed] = useState('10')
  return (
    <ReasonDialog
      title={t('operator.timelineReplayTitle', { order })}
      message={t('operator.timelineReplayMessage')}
      confirm={t('operator.timelineReplayStart')}
      act={(reason) => begin(reason, Number(speed))}
      onClose={onClose}
    >
      <NativeSelect
        label={t('operator.timelineSpeed')}
        value={speed}
        data={SPEEDS.map((one) => ({ value: String(one), label: t('operator.timelineSpeedFactor', { speed: one }) }))}
        onChange={(event) => {
          setSpeed(event.currentTarget.value)
        }}
      />
    </ReasonDialog>
  )
}
