import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'

import type { ListOrdersResponses, Order } from '@/api/generated/types.gen'
import { lists } from '@/api/lists'
import { CURRENCY_SIGN, dateTimeText, moneyText } from '@/lib/format'
import { useTexts } from '@/lib/texts'
import { CancelDialog } from '@/ui/CancelDialog'
import { CancelOrderButton } from '@/ui/CancelOrderButton'
import { PaidBadge } from '@/ui/PaidBadge'
import { RefundDialog } from '@/ui/RefundDialog'
import { RefundOrderButton } from '@/ui/RefundOrderButton'
import { StatusBadge, statusLabel } from '@/ui/StatusBadge'
import type { Column } from '@/ui/table/columns'

import classes from './admin.module.css'
import { ApproveOrdersDialog } from './ApproveOrdersDialog'
import { ApprovalBadge } from './badges'
import { useList } from './use-list'
import { useListAddress } from './list-address'
import { Listing } from './Listing'
import { OrderDescription, OrderItems } from './OrderDetails'
import { useOrderActions } from './order-actions'
import { STATUSES } from './statuses'

/** The expanded part: `description` or `items` of an order. */
type Part = 'description' | 'items'

/** Every order of the platform, to view, approve, cancel or delete. */
export function AdminOrdersPage() {
  const t = useTexts()
  const address = useListAddress()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const { approve, approving, cancel, cancelDialog, refund, refundDialog, remove } = useOrderActions()
  const [isApproving, setIsApproving] = useState(false)
  const isOpen = (order: Order, part: Part) => open.has(`${part} ${order._id}`)
  const toggle = (order: Order, part: Part, show: string, hide: string) => (
    <Button
      size="compact-sm"
      variant="subtle"
      aria-expanded={isOpen(order, part)}
      onClick={() => {
        const next = new Set(open)
        if (!next.delete(`${part} ${order._id}`)) next.add(`${part} ${order._id}`)
        setOpen(next)
      }}
    >
      {isOpen(order, part) ? hide : show}
    </Button>
  )

  const columns: Column<Order>[] = [
    {
      id: 'orderId',
      label: t('admin.orderId'),
      slot: 'heading',
      value: (order) => order.orderId,
      cell: (order) => <span className={classes.code}>{order.orderId}</span>,
    },
    { id: 'email', label: t('admin.email'), value: (order) => order.email, cell: (order) => order.email },
    {
      id: 'createdAt',
      label: t('admin.orderDate'),
      sortable: true,
      value: (order) => order.createdAt,
      cell: (order) => dateTimeText(order.createdAt),
    },
    {
      id: 'totalAmount',
      label: t('admin.amount', { sign: CURRENCY_SIGN }),
      sortable: true,
      end: true,
      value: (order) => order.totalAmount,
      cell: (order) => moneyText(order.totalAmount),
    },
    {
      id: 'status',
      label: t('admin.status'),
      value: (order) => statusLabel(order.status),
      cell: (order) => (
        <Stack gap={4} align="start">
          <StatusBadge status={order.status} />
          <PaidBadge order={order} />
        </Stack>
      ),
    },
    {
      id: 'isApprove',
      label: t('admin.approval'),
      value: (order) => (order.isApprove ? t('admin.approved') : t('admin.pending')),
      cell: (order) => <ApprovalBadge approved={order.isApprove} />,
    },
    {
      id: 'description',
      label: t('admin.description'),
      cell: (order) => toggle(order, 'description', t('admin.showDescription'), t('admin.hideDescription')),
    },
    {
      id: 'actions',
      label: t('admin.actions'),
      slot: 'foot',
      cell: (order) => (
        <Group gap={4} miw={172}>
          <Button
            size="compact-sm"
            aria-label={t('admin.approveOrder', { order: order.orderId })}
            disabled={order.isApprove || approving === order._id}
            onClick={() => {
              approve(order)
            }}
          >
            {t('admin.approve')}
          </Button>
          {toggle(order, 'items', t('admin.viewItems'), t('admin.hideItems'))}
          <Button
            size="compact-sm"
            variant="light"
            color="red"
            aria-label={t('admin.deleteOrder', { order: order.orderId })}
            onClick={() => void remove(order)}
          >
            {t('admin.delete')}
          </Button>
          <CancelOrderButton order={order} size="compact-sm" label={t('cancellation.cancel')} onCancel={() => { cancel(order) }} />
          <RefundOrderButton order={order} size="compact-sm" onRefund={() => { refund(order) }} />
        </Group>
      ),
    },
  ]

  const list = useList<ListOrdersResponses>({
    list: lists.orders,
    query: { q: address.q, status: address.get('status'), isApprove: address.get('isApprove') },
    sort: address.sort,
    columns,
    orders: { createdAt: { up: 'oldest', down: 'newest' }, totalAmount: { up: 'smallest', down: 'amount' } },
  })

  // A cancelled order needs no approval.
  const waiting = list.rows.filter(({ isApprove, status }) => !isApprove && status !== 'cancelled')

  return (
    <>
      <Listing
        title={t('admin.orders')}
        actions={
          <Button
            variant="default"
            disabled={waiting.length === 0}
            onClick={() => {
              setIsApproving(true)
            }}
          >
            {t('admin.approveShown', { count: waiting.length })}
          </Button>
        }
        list={list}
        address={address}
        columns={columns}
        exportedToo={[
          { label: t('admin.payment'), value: (order) => (order.status === 'cancelled' ? '' : t(order.isPaid ? 'app.paid' : 'app.unpaid')) },
          { label: t('admin.restaurantName'), value: (order) => order.restaurantName },
          { label: t('admin.item'), value: (order) => order.Item_name },
          { label: t('admin.quantity'), value: (order) => order.quantity },
        ]}
        filters={[
          {
            name: 'status',
            label: t('admin.status'),
            options: STATUSES.map((status) => ({ value: status, label: statusLabel(status) })),
          },
          {
            name: 'isApprove',
            label: t('admin.approval'),
            options: [
              { value: 'false', label: t('admin.pending') },
              { value: 'true', label: t('admin.approved') },
            ],
          },
        ]}
        rowId={(order) => order._id}
        rowName={(order) => t('admin.orderName', { order: order.orderId })}
        empty={t('admin.ordersEmpty')}
        file="orders"
        expanded={(order) =>
          isOpen(order, 'description') || isOpen(order, 'items') ? (
            <Stack gap="sm" py={4}>
              {isOpen(order, 'description') && <OrderDescription order={order} />}
              {isOpen(order, 'items') && <OrderItems order={order} />}
            </Stack>
          ) : null
        }
      />
      {isApproving && (
        <ApproveOrdersDialog
          orders={waiting}
          onClose={() => {
            setIsApproving(false)
          }}
        />
      )}
      {cancelDialog !== null && <CancelDialog by="administrator" {...cancelDialog} />}
      {refundDialog !== null && <RefundDialog {...refundDialog} />}
    </>
  )
}
