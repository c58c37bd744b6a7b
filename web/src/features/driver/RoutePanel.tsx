import { Anchor, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconBike, IconHomeCheck, IconPhone } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'

import { restaurantsQuery } from '@/api/catalogue'
import type { Delivery, DeliveryStatus } from '@/api/generated/types.gen'
import { dishesOf } from '@/api/tickets'
import { clockText } from '@/lib/format'
import { lazyPart } from '@/lib/lazy-part'
import { useTexts } from '@/lib/texts'

import classes from './driver.module.css'
import { type Stop, stopsOf } from './stops'

// The map and its library are only fetched where there is a route.
const RouteMap = lazyPart(async () => ({ default: (await import('./RouteMap')).RouteMap }))

interface Props {
  deliveries: Delivery[]
  busy: boolean
  onStatus: (deliveries: Delivery[], next: DeliveryStatus) => void
}

/** The driver's route: its map, its stops in order, and the next step in one touch. Nothing without deliveries. */
export function RoutePanel({ deliveries, busy, onStatus }: Props) {
  const t = useTexts()
  const { data: restaurants } = useQuery(restaurantsQuery())
  const stops = stopsOf(deliveries, restaurants ?? [])
  if (stops.length === 0) return null
  return (
    <Card component="section" withBorder padding={0} className={classes.card} aria-label={t('driver.currentTrip')} data-testid="trip">
      <div className={classes.routeMap}>
        <Suspense fallback={<Skeleton height="100%" radius={0} />}>
          <RouteMap stops={stops} next={stops[0]?.deliveries[0] ?? null} />
        </Suspense>
      </div>
      <Stack gap="sm" p="md">
        <Title order={2} size="h3">
          {t('driver.currentTrip')}
        </Title>
        <ol className={classes.stops}>
          {stops.map((stop, at) => (
            <StopEntry key={stop.id} stop={stop} isNext={at === 0} busy={busy} onStatus={onStatus} />
          ))}
        </ol>
      </Stack>
    </Card>
  )
}

interface StopProps {
  stop: Stop
  isNext: boolean
  busy: boolean
  onStatus: Props['onStatus']
}

function StopEntry({ stop, isNext, busy, onStatus }: StopProps) {
  const t = useTexts()
  const { kind, name, address, phone, deliveries } = stop
  const isPickup = kind === 'restaurant'
  const due = deliveries.map(({ promisedTime }) => promisedTime ?? '').sort()[0]
  const Icon = isPickup ? IconBike : IconHomeCheck
  return (
    <li className={classes.stop} data-testid="stop" data-kind={kind} aria-current={isNext ? 'step' : undefined}>
      <Text size="sm" c="dimmed">
        {isPickup ? t('driver.fetchAt') : t('driver.bringTo', { time: clockText(due) })}
      </Text>
      <Text fw={650}>{[name, address].filter(Boolean).join(', ') || t(`driver.${kind}`)}</Text>
      <Text size="sm">{dishesOf(deliveries)}</Text>
      <Group gap="sm" mt={4}>
        <Button
          size={isNext ? 'lg' : 'sm'}
          variant={isNext ? 'filled' : 'default'}
          flex={isNext ? '1 0 auto' : undefined}
          maw="100%"
          leftSection={<Icon size={isNext ? 24 : 18} />}
          loading={busy}
          onClick={() => {
            onStatus(deliveries, isPickup ? 'on the way' : 'delivered')
          }}
        >
          {isPickup ? t('driver.setOut') : t('driver.handOver')}
        </Button>
        {phone && (
          <Anchor href={`tel:${phone}`} className={classes.call ?? ''}>
            <IconPhone size={18} aria-hidden="true" />
            {phone}
          </Anchor>
        )}
      </Group>
    </li>
  )
}
