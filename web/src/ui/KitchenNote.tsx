import { Text } from '@mantine/core'

/** The customer's words to the kitchen about a dish; nothing without any. */
export function KitchenNote({ note }: { note: string | null | undefined }) {
  if (note == null) return null
  return (
    <Text size="sm" fs="italic" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }} data-testid="note">
      “{note}”
    </Text>
  )
}
