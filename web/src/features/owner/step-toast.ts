import { notifications } from '@mantine/notifications'

import { text } from '@/lib/texts'

const form = () => ({ color: 'leaf', role: 'status', closeButtonProps: { 'aria-label': text('app.close') } })

/** Says that a step is taken; the answer is the message's id. */
export function showStep(step: string): string {
  return notifications.show({ message: step, autoClose: 2000, ...form() })
}

/** Two lines fit into a panel's header with this room above and below them, in pixels. */
const TIGHT = 4

/** Adds what followed from a step to its message as a second line, and shows both where it is gone. */
export function showFollowed(id: string, step: string, followed: string): void {
  const lines = { id, title: step, message: followed, autoClose: 4000, py: TIGHT, ...form() }
  notifications.update(lines)
  notifications.show(lines)
}
