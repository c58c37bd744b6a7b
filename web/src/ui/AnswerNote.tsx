import { Text } from '@mantine/core'

import { clockText } from '@/lib/format'
import { useTexts } from '@/lib/texts'

interface Props {
  order: { answerBy?: string | null; usualAnswerMinutes?: number | null }
}

/** The customer's sentence about an order that waits: how long answers usually take, and what follows without one. */
export function AnswerNote({ order: { answerBy, usualAnswerMinutes: usual } }: Props) {
  const t = useTexts()
  if (answerBy == null) return null
  return (
    <Text size="sm" c="dimmed" data-testid="answer-note">
      {usual != null && `${t('cancellation.usualAnswer', { minutes: Math.max(1, Math.round(usual)) })} `}
      {t('cancellation.answerBy', { time: clockText(answerBy) })}
    </Text>
  )
}
