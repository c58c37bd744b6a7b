import { notifications } from '@mantine/notifications'

import { text } from '@/lib/texts'

const closing = () => ({ closeButtonProps: { 'aria-label': text('app.close') } })

/** Short-lived messages; announced to screen readers, errors at once. */
export const toast = {
  success: (message: string) => {
    notifications.show({ message, color: 'leaf', autoClose: 2000, role: 'status', ...closing() })
  },
  /** Something changed without the reader's doing. */
  info: (message: string) => {
    notifications.show({ message, color: 'ember', autoClose: 6000, role: 'status', ...closing() })
  },
  error: (message: string) => {
    // A panel shows one at a time: what went wrong does not wait for the others.
    notifications.clean()
    notifications.show({ message, color: 'red', autoClose: 4000, role: 'alert', ...closing() })
  },
}
