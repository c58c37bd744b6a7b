import { Stack, Table } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'

import { deliveriesQuery } from '@/api/deliveries'
import { messageOf } from '@/api/problem'
import { Page } from '@/ui/Page'
import { Empty, Failure, Loading } from '@/ui/states'

import { useDeliveryChanges } from './delivery-changes'
import { DeliveryCard, DeliveryRow } from './DeliveryEntry'
import classes from './driver.module.css'
import { ShareSwitch } from './ShareSwitch'

const columns = ['Order ID', 'Status', 'Lat', 'Lng', 'Actions']

/** The driver's deliveries, those under way first; a new one appears by itself. */
export function DriverTrackPage() {
  const { data, error, isPending, refetch } = useQuery(deliveriesQuery())
  const { setStatus, sendLocation, changing, locating } = useDeliveryChanges()
  const wide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  const done = (status: string) => Number(status === 'delivered')
  const deliveries = [...(data ?? [])].sort(
    (a, b) => done(a.status) - done(b.status) || b.timestamp.localeCompare(a.timestamp),
  )
  const underWay = deliveries.filter(({ status }) => status !== 'delivered').length
  const entry = (delivery: (typeof deliveries)[number]) => ({
    delivery,
    changing: changing === delivery._id,
    locating: locating === delivery._id,
    onStatus: setStatus,
    onLocation: sendLocation,
  })

  return (
    <Page
      title="Delivery Tracking"
      {...(data === undefined ? {} : { lead: underWay === 0 ? 'Nothing to bring right now.' : `${underWay} under way` })}
    >
      <ShareSwitch />
      {isPending && <Loading />}
      {error !== null && <Failure message={messageOf(error, 'An error occurred')} retry={() => void refetch()} />}
      {data?.length === 0 && (
        <Empty text="No deliveries yet." art="empty-list" hint="When a restaurant gives you an order, it appears here by itself." />
      )}
      {deliveries.length > 0 &&
        (wide ? (
          <div className={classes.tableBox}>
            <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover>
              <Table.Thead>
                <Table.Tr>
                  {columns.map((column) => (
                    <Table.Th key={column}>{column}</Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {deliveries.map((delivery) => (
                  <DeliveryRow key={delivery._id} {...entry(delivery)} />
                ))}
              </Table.Tbody>
            </Table>
          </div>
        ) : (
          <Stack gap="md">
            {deliveries.map((delivery) => (
              <DeliveryCard key={delivery._id} {...entry(delivery)} />
            ))}
          </Stack>
        ))}
    </Page>
  )
}
