import { Anchor, Group, Stack, Text } from '@mantine/core'
import { memo, useState } from 'react'
import { Link } from 'react-router'

import { currentPlace, type Coordinates } from '@/lib/geolocation'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { GrowingTextarea } from '@/ui/GrowingTextarea'
import { LocateButton } from '@/ui/LocateButton'
import { toast } from '@/ui/toast'

export interface Destination {
  address: string
  place: Coordinates | null
}

interface Props {
  value: Destination
  onChange: (change: Partial<Destination>) => void
}

/** The destination of the order: words for the driver, a place for the map. */
export const DeliverTo = memo(({ value, onChange }: Props) => {
  const t = useTexts()
  const [asking, setAsking] = useState(false)
  const locate = async () => {
    setAsking(true)
    try {
      onChange({ place: await currentPlace() })
      toast.success(t('checkout.locationFetched'))
    } catch {
      toast.error(t('checkout.geolocationFailed'))
    } finally {
      setAsking(false)
    }
  }
  return (
    <Stack gap="xs">
      <GrowingTextarea
        label={t('checkout.deliveryAddress')}
        placeholder={t('checkout.addressPlaceholder')}
        maxLength={500}
        autoComplete="street-address"
        value={value.address}
        onChange={(event) => {
          onChange({ address: event.currentTarget.value })
        }}
      />
      <Group gap="sm">
        <LocateButton label={t('checkout.useCurrentLocation')} isLocating={asking} onLocate={() => void locate()} />
        <Anchor component={Link} to={paths.location()} size="sm">
          {t('checkout.chooseOnMap')}
        </Anchor>
        {value.place !== null && (
          <Text size="xs" c="dimmed">
            {value.place.lat.toFixed(4)}, {value.place.lng.toFixed(4)}
          </Text>
        )}
      </Group>
    </Stack>
  )
})
DeliverTo.displayName = 'DeliverTo'
