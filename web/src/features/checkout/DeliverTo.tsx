import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconCurrentLocation } from '@tabler/icons-react'
import { useState } from 'react'

import { currentPlace, type Place } from '@/lib/geolocation'
import { toast } from '@/ui/toast'

export interface Destination {
  address: string
  place: Place | null
}

interface Props {
  value: Destination
  onChange: (value: Destination) => void
}

/** Where the order goes: words for the driver, a place for the map. */
export function DeliverTo({ value, onChange }: Props) {
  const [asking, setAsking] = useState(false)
  const locate = async () => {
    setAsking(true)
    try {
      onChange({ ...value, place: await currentPlace() })
      toast.success('Location fetched!')
    } catch {
      toast.error('Geolocation not allowed or failed.')
    } finally {
      setAsking(false)
    }
  }
  return (
    <Stack gap="xs">
      <Textarea
        label="Delivery address"
        autosize
        minRows={2}
        maxRows={4}
        placeholder="House, street, town"
        autoComplete="street-address"
        value={value.address}
        onChange={(event) => {
          onChange({ ...value, address: event.currentTarget.value })
        }}
      />
      <Group gap="sm">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconCurrentLocation size={16} />}
          loading={asking}
          onClick={() => void locate()}
        >
          Use Current Location
        </Button>
        {value.place !== null && (
          <Text size="xs" c="dimmed">
            {value.place.lat.toFixed(4)}, {value.place.lng.toFixed(4)}
          </Text>
        )}
      </Group>
    </Stack>
  )
}
