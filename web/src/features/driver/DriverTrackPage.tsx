import { Stack, Table } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'

import type { Delivery } from '@/api/generated/types.gen'
import { messageOf } from '@/api/problem'
import { byStep, type TicketDeliveries } from '@/api/tickets'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Empty, Failure, Loading } from '@/ui/states'

import { useDeliveryChanges } from './delivery-changes'
import { DeliveryCard, DeliveryRow, type EntryProps } from './DeliveryEntry'
import classes from './driver.module.css'
import { useOutboxState } from './outbox/context'
import { deliveriesOf } from './outbox/store'
import { ShareSwitch } from './ShareSwitch'
import { RoutePanel } from './RoutePanel'
import { useDriverDeliveries } from './use-driver-deliveries'

const isOver = ({ status }: Delivery) => Number(status === 'delivered')

/** The driver's route and all deliveries; the list follows live. */
export function DriverTrackPage() {
  const t = useTexts()
  const { data, error, isPending, refetch } = useDriverDeliveries()
  const { setStatus, sendLocation, decline, changing, locating, declining } = useDeliveryChanges()
  const outbox = useOutboxState()
  const held = new Set(outbox.isHeld ? outbox.changes.flatMap(deliveriesOf) : [])
  const deliveries = [...(data ?? [])].sort((a, b) => isOver(a) - isOver(b) || b.timestamp.localeCompare(a.timestamp))
  const tickets = byStep(deliveries)
  const count = tickets.filter(([{ status }]) => status !== 'delivered').length
  const entryProps = (ticket: TicketDeliveries) => ({
    deliveries: ticket,
    changing,
    isHeld: ticket.some(({ _id }) => held.has(_id)),
    locating: locating === ticket[0]._id,
    onStatus: setStatus,
    declining: declining === ticket[0]._id,
    onLocation: sendLocation,
    onDecline: decline,
  })

  return (
    <Page title={t('driver.deliveryTracking')} lead={data === undefined ? '' : t('driver.underWay', { count })}>
      <ShareSwitch />
      <RoutePanel deliveries={deliveries} busy={changing} onStatus={setStatus} />
      {isPending && <Loading />}
      {error !== null && <Failure message={messageOf(error, t('driver.failed'))} retry={() => void refetch()} />}
      {data?.length === 0 && <Empty text={t('driver.noDeliveries')} art="empty-list" hint={t('driver.noDeliveriesHint')} />}
      {deliveries.length > 0 && <Deliveries entries={tickets.map(entryProps)} />}
    </Page>
  )
}

function Deliveries({ entries }: { entries: EntryProps[] }) {
  const t = useTexts()
  const wide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  if (!wide) {
    return (
      <Stack gap="md">
        {entries.map((entry) => (
          <DeliveryCard key={entry.deliveries[0]._id} {...entry} />
        ))}
      </Stack>
    )
  }
  const columns = [t('driver.orderId'), t('driver.status'), t('driver.lat'), t('driver.lng'), t('driver.actions')]
  return (
    // Reached by keyboard, so that it can be scrolled by one.
    <div className={classes.tableBox} tabIndex={0} role="region" aria-label={t('driver.deliveries')}>
      <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover aria-label={t('driver.deliveries')}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column} scope="col">
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <DeliveryRow key={entry.deliveries[0]._id} {...entry} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
