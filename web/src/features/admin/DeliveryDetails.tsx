import { CloseButton, Group, Paper, Text } from '@mantine/core'

import { useEffect, useRef } from 'react'

import { codesOf, dishesOf, leadOf, type TicketDeliveries } from '@/api/tickets'
import { clockRangeText } from '@/lib/clock-range'
import { clockText } from '@/lib/format'
import { useTexts } from '@/lib/texts'
import { isKnown } from '@/ui/map/geo'
import { StatusBadge } from '@/ui/StatusBadge'

import classes from './dashboard.module.css'

interface Props {
  ticket: TicketDeliveries
  /** True if the reader asked for it away from the map. */
  takesFocus: boolean
  onClose: () => void
}

/** The ticket that was picked on the map. */
export function DeliveryDetails({ ticket, takesFocus, onClose }: Props) {
  const t = useTexts()
  const delivery = leadOf(ticket)
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!takesFocus) return
    const before = document.activeElement
    section.current?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [takesFocus])
  const { earliestArrival, latestArrival } = delivery
  const arriving = earliestArrival && latestArrival ? clockRangeText(earliestArrival, latestArrival) : null
  const facts: [label: string, value: string | null | undefined][] = [
    [t('admin.driver'), delivery.driverName],
    [t('admin.phone'), delivery.driverPhone],
    [t('admin.item'), dishesOf(ticket)],
    [t('admin.address'), delivery.address],
    [t('admin.arriving'), arriving],
    [t('admin.promised'), clockText(delivery.promisedTime)],
  ]
  return (
    <Paper
      component="section"
      ref={section}
      tabIndex={-1}
      withBorder
      shadow="sm"
      p="sm"
      radius="lg"
      className={classes.details ?? ''}
      aria-label={t('admin.deliveryOf', { order: codesOf(ticket) })}
    >
      <Group justify="space-between" wrap="nowrap">
        <Text fw={700}>{codesOf(ticket)}</Text>
        <CloseButton aria-label={t('admin.close')} onClick={onClose} />
      </Group>
      <StatusBadge status={delivery.status} />
      {!isKnown(delivery) && (
        <Text size="sm" c="dimmed" mt={4}>
          {t('admin.notSeen')}
        </Text>
      )}
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
