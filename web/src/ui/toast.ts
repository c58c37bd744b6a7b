import { notifications } from '@mantine/notifications'

/** Short-lived messages; announced to screen readers, errors at once. */
export const toast = {
  success: (message: string) => {
    notifications.show({ message, color: 'leaf', autoClose: 2000, role: 'status' })
  },
  /** Something changed without the reader's doing. */
  news: (message: string) => {
    notifications.show({ message, color: 'ember', autoClose: 6000, role: 'status' })
  },
  error: (message: string) => {
    notifications.show({ message, color: 'red', autoClose: 4000, role: 'alert' })
  },
}
