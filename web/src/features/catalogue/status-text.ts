import type { Restaurant } from '@/api/generated/types.gen'
import { clockText } from '@/lib/format'
import { text } from '@/lib/texts'

/** Open, closed, or the end of a pause. */
export function statusText({ isOpen, pausedUntil }: Restaurant): string {
  if (pausedUntil != null) return text('app.pausedUntil', { time: clockText(pausedUntil) })
  return text(isOpen ? 'app.statusOpen' : 'app.statusClosed')
}
