import { Progress } from '@mantine/core'

import { useTexts } from '@/lib/texts'

import { type Urgency } from './capacity'
import { bytesText, percentText } from './format'

interface Props {
  /** The thing that is filled. */
  name: string
  bytes: number
  maxBytes?: number | null | undefined
  percent?: number | null | undefined
  urgency: Urgency
}

/** The filled part of something with a cap, and its size without one. */
export function FillBar({ name, bytes, maxBytes, percent, urgency }: Props) {
  const t = useTexts()
  if (maxBytes == null || percent == null) return <>{t('operator.unlimited')}</>
  const text = t('operator.fillOf', { percent: percentText(percent), size: bytesText(maxBytes) })
  const color = urgency === 'full' || urgency === 'verySoon' || percent >= 80 ? 'red' : urgency === 'soon' ? 'yellow' : 'ember'
  return (
    <>
      <span title={bytesText(bytes)}>{text}</span>
      <Progress size={5} mt={3} color={color} value={Math.min(100, percent)} aria-label={`${name}: ${text}`} />
    </>
  )
}
