import { Radio, SimpleGrid, Textarea } from '@mantine/core'

import { type TextId, useTexts } from '@/lib/texts'

/** The longest note that the services take, in characters. */
const MAX_NOTE = 200

interface Props<Reason extends string> {
  /** The texts around the fields. */
  area: 'cancellation' | 'refund'
  /** The reasons to choose from, with their texts. */
  reasons: readonly Reason[]
  labels: Record<Reason, TextId>
  reason: Reason | null
  note: string
  /** True once it was sent without a reason. */
  isMissing: boolean
  onReason: (reason: Reason) => void
  onNote: (note: string) => void
}

/** A choice of reasons, and a line to the customer. */
export function ReasonFields<Reason extends string>({ area, reasons, labels, reason, note, isMissing, onReason, onNote }: Props<Reason>) {
  const t = useTexts()
  return (
    <>
      <Radio.Group
        label={t(`${area}.reason`)}
        value={reason}
        error={isMissing && reason === null && t(`${area}.reasonNeeded`)}
        onChange={(value) => {
          const chosen = reasons.find((one) => one === value)
          if (chosen !== undefined) onReason(chosen)
        }}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={6} verticalSpacing={6} my={6}>
          {reasons.map((value) => (
            <Radio key={value} value={value} label={t(labels[value])} />
          ))}
        </SimpleGrid>
      </Radio.Group>
      <Textarea
        label={t(`${area}.note`)}
        description={t(`${area}.noteHint`)}
        value={note}
        maxLength={MAX_NOTE}
        autosize
        minRows={2}
        onChange={(event) => {
          onNote(event.currentTarget.value)
        }}
      />
    </>
  )
}
