import { Button } from '@mantine/core'
import { IconCurrentLocation } from '@tabler/icons-react'

/** Asks the device where it is. */
export function LocateButton({ label, isLocating, onLocate }: { label: string; isLocating: boolean; onLocate: () => void }) {
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconCurrentLocation size={16} aria-hidden />}
      loading={isLocating}
      onClick={onLocate}
    >
      {label}
    </Button>
  )
}
