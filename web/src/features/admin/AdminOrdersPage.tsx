import { Badge, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { ordersQuery } from '@/api/orders'
import { messageOf } from '@/api/problem'
import { dateText, rupees } from '@/lib/format'
import { Page } from '@/ui/Page'
import { Empty, Failure, Loading } from '@/ui/states'
import { StatusBadge } from '@/ui/StatusBadge'

import classes from './admin.module.css'

/** Every order of the platform, to look at. */
export function AdminOrdersPage() {
  const { data, error, isPending, refetch } = useQuery(ordersQuery())
  const orders = [...(data ?? [])].sort((a, b) => b.createdAt.localeCompare(a.createdAt))
  return (
    <Page title="Order Management" size="fluid">
      {isPending && <Loading />}
      {error !== null && <Failure message={messageOf(error, 'An error occurred')} retry={() => void refetch()} />}
      {data?.length === 0 && <Empty text="No orders yet." art="empty-list" />}
      {orders.length > 0 && (
        <div className={classes.tableBox}>
          <Table verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Order ID</Table.Th>
                <Table.Th>Email</Table.Th>
                <Table.Th>Restaurant</Table.Th>
                <Table.Th>Order Date</Table.Th>
                <Table.Th>Amount (Rs.)</Table.Th>
                <Table.Th>Status</Table.Th>
                <Table.Th>Approval</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {orders.map((order) => (
                <Table.Tr key={order._id}>
                  <Table.Td className={classes.code}>{order.orderId}</Table.Td>
                  <Table.Td>{order.email}</Table.Td>
                  <Table.Td>{order.restaurantName}</Table.Td>
                  <Table.Td>{dateText(order.createdAt)}</Table.Td>
                  <Table.Td>{rupees(order.totalAmount)}</Table.Td>
                  <Table.Td>
                    <StatusBadge status={order.status} />
                  </Table.Td>
                  <Table.Td>
                    <Badge variant="light" color={order.isApprove ? 'leaf' : 'gray'}>
                      {order.isApprove ? 'Approved' : 'Pending'}
                    </Badge>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </Page>
  )
}
