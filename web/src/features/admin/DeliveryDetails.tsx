import { CloseButton, Group, Paper, Text } from '@mantine/core'

import type { Delivery } from '@/api/generated/types.gen'
import { clockRangeText } from '@/lib/clock-range'
import { clockText } from '@/lib/format'
import { useTexts } from '@/lib/texts'
import { StatusBadge } from '@/ui/StatusBadge'

import classes from './dashboard.module.css'

/** The delivery that was picked on the map. */
export function DeliveryDetails({ delivery, onClose }: { delivery: Delivery; onClose: () => void }) {
  const t = useTexts()
  const { earliestArrival, latestArrival } = delivery
  const arriving = earliestArrival && latestArrival ? clockRangeText(earliestArrival, latestArrival) : null
  const facts: [label: string, value: string | null | undefined][] = [
    [t('admin.driver'), delivery.driverName],
    [t('admin.phone'), delivery.driverPhone],
    [t('admin.item'), `${delivery.qty} × ${delivery.orderName}`],
    [t('admin.address'), delivery.address],
    [t('admin.arriving'), arriving],
    [t('admin.promised'), clockText(delivery.promisedTime)],
  ]
  return (
    <Paper
      component="section"
      withBorder
      shadow="sm"
      p="sm"
      radius="lg"
      className={classes.details ?? ''}
      aria-label={t('admin.deliveryOf', { order: delivery.orderId })}
    >
      <Group justify="space-between" wrap="nowrap">
        <Text fw={700}>{delivery.orderId}</Text>
        <CloseButton aria-label={t('admin.close')} onClick={onClose} />
      </Group>
      <StatusBadge status={delivery.status} />
      <dl className={classes.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value ? value : t('admin.notAvailable')}</dd>
          </div>
        ))}
      </dl>
    </Paper>
  )
}
