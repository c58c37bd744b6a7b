import { Stack, Table } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'

import { driversQuery } from '@/api/drivers'
import { ordersQuery } from '@/api/orders'
import { messageOf } from '@/api/problem'
import { Page } from '@/ui/Page'
import { Empty, Failure, Loading } from '@/ui/states'

import { OrderCard, OrderRow } from './OrderEntry'
import classes from './owner.module.css'
import { useSetStatus } from './set-status'
import { TripOffer } from './TripOffer'

const columns = [
  'Order ID',
  'Email',
  'Order Date',
  'Amount (Rs.)',
  'Count',
  'Status',
  'Driver',
  'Description',
  'Actions',
]

/** Milliseconds. Who is free is told to the drivers alone: an owner's page has to ask. */
const DRIVERS_EVERY = 15_000

/** The orders of the owner's restaurants, newest first. */
export function OwnerOrdersPage() {
  const { data, error, isPending, refetch } = useQuery(ordersQuery())
  const drivers = useQuery({ ...driversQuery(), refetchInterval: DRIVERS_EVERY })
  const { set, busy, offer, takeOffer, refuseOffer } = useSetStatus()
  const wide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false })
  const orders = [...(data ?? [])].sort((a, b) => b.createdAt.localeCompare(a.createdAt))
  const entry = (order: (typeof orders)[number]) => ({
    order,
    drivers: drivers.data ?? [],
    busy: busy === order._id,
    onSet: set,
  })
  const waiting = orders.filter((order) => order.status === 'pending').length

  return (
    <Page
      title="Restaurant Order"
      size="fluid"
      {...(data === undefined ? {} : { lead: waiting === 0 ? 'Nothing waits for you.' : `${waiting} waiting to be confirmed` })}
    >
      {isPending && <Loading />}
      {error !== null && <Failure message={messageOf(error, 'An error occurred')} retry={() => void refetch()} />}
      {drivers.isError && (
        <Failure message="The list of drivers could not be loaded." retry={() => void drivers.refetch()} />
      )}
      {data?.length === 0 && (
        <Empty text="No orders yet." art="empty-list" hint="New orders appear here by themselves." />
      )}
      {orders.length > 0 &&
        (wide ? (
          <div className={classes.tableBox}>
            <Table verticalSpacing="sm" highlightOnHover className={classes.table}>
              <Table.Thead>
                <Table.Tr>
                  {columns.map((column) => (
                    <Table.Th key={column}>{column}</Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {orders.map((order) => (
                  <OrderRow key={order._id} {...entry(order)} />
                ))}
              </Table.Tbody>
            </Table>
          </div>
        ) : (
          <Stack gap="md">
            {orders.map((order) => (
              <OrderCard key={order._id} {...entry(order)} />
            ))}
          </Stack>
        ))}
      <TripOffer offer={offer} onTake={() => void takeOffer()} onRefuse={refuseOffer} />
    </Page>
  )
}
