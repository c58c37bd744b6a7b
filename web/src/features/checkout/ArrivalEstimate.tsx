import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { estimatesQuery } from '@/api/estimates'
import type { Coordinates } from '@/lib/geolocation'
import { useTexts } from '@/lib/texts'
import { minutesText } from '@/ui/DeliveryTime'

import type { CartGroup } from './cart-groups'
import { latestArrival } from './latest-arrival'

interface Props {
  place: Coordinates | null
  groups: CartGroup[]
  /** True while the place is being asked for. */
  isPlacePending: boolean
}

/** The time in which the cart would arrive if it was ordered now. Its line is there before the answer. */
export function ArrivalEstimate({ place, groups, isPlacePending }: Props) {
  const t = useTexts()
  const ids = groups.filter(({ isOpen }) => isOpen).map(({ restaurantId }) => restaurantId)
  const { data, isError } = useQuery(estimatesQuery(place, ids))
  if (place === null && !isPlacePending) {
    return (
      <Text size="sm" c="dimmed">
        {t('checkout.placeForArrival')}
      </Text>
    )
  }
  const range = data === undefined ? null : latestArrival(data, ids)
  const missing = data !== undefined || isError ? t('app.notAvailable') : '…'
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm">{t(ids.length > 1 ? 'checkout.lastArrivesIn' : 'checkout.arrivesIn')}</Text>
      <Text size="sm" fw={600} data-testid="arrival-estimate">
        {range === null ? missing : minutesText(range)}
      </Text>
    </Group>
  )
}
