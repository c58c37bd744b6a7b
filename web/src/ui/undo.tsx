import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'

import { text } from '@/lib/texts'

/** The time for undoing an action, in milliseconds. */
const UNDO_TIMEOUT = 8000

interface Offer {
  message: string
  /** The label of the button. */
  label: string
  undo: () => void
}

/** Reports a change and offers to undo it. */
export function offerUndo({ message, label, undo }: Offer): void {
  const id = notifications.show({
    color: 'gray',
    autoClose: UNDO_TIMEOUT,
    role: 'status',
    closeButtonProps: { 'aria-label': text('app.close') },
    message: (
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button
          size="xs"
          variant="light"
          miw="max-content"
          onClick={() => {
            undo()
            notifications.hide(id)
          }}
        >
          {label}
        </Button>
      </Group>
    ),
  })
}
