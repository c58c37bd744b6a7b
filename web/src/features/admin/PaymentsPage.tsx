import { Text } from '@mantine/core'

import type { ListPaymentsResponses, Payment } from '@/api/generated/types.gen'
import { lists } from '@/api/lists'
import { dateText, rupees } from '@/lib/format'
import { useTexts } from '@/lib/texts'
import type { Column } from '@/ui/table/columns'

import classes from './admin.module.css'
import { useFailureToast } from './failure-toast'
import { useList } from './use-list'
import { useListAddress } from './list-address'
import { Listing } from './Listing'

const TYPES: Payment['paymentType'][] = ['Card', 'PayPal', 'Bank Transfer']

/** Every payment, read-only. */
export function PaymentsPage() {
  const t = useTexts()
  const address = useListAddress()
  const columns: Column<Payment>[] = [
    {
      id: 'bookingId',
      label: t('admin.bookingId'),
      slot: 'heading',
      sortable: true,
      value: (payment) => payment.bookingId,
      cell: (payment) => <span className={classes.code}>{payment.bookingId}</span>,
    },
    {
      id: 'amount',
      label: t('admin.amount'),
      sortable: true,
      end: true,
      value: (payment) => payment.amount,
      cell: (payment) =>
        payment.refunded === 0 ? (
          rupees(payment.amount)
        ) : (
          <>
            {rupees(payment.amount)}
            <Text span size="xs" c="dimmed" ml={6}>
              {t('admin.paymentBack', { amount: rupees(payment.refunded) })}
            </Text>
          </>
        ),
    },
    {
      id: 'paymentType',
      label: t('admin.paymentType'),
      sortable: true,
      value: (payment) => payment.paymentType,
      cell: (payment) => payment.paymentType,
    },
    {
      id: 'paymentDate',
      label: t('admin.date'),
      sortable: true,
      value: (payment) => payment.paymentDate,
      cell: (payment) => dateText(payment.paymentDate),
    },
  ]
  const list = useList<ListPaymentsResponses>({
    list: lists.payments,
    query: { q: address.q, type: address.get('type') },
    sort: address.sort,
    columns,
    orders: { paymentDate: { up: 'oldest', down: 'newest' }, amount: { down: 'amount' } },
  })
  useFailureToast(list.error, t('admin.paymentsFailed'))
  return (
    <Listing
      title={t('admin.payments')}
      list={list}
      address={address}
      columns={columns}
      filters={[
        { name: 'type', label: t('admin.paymentType'), options: TYPES.map((type) => ({ value: type, label: type })) },
      ]}
      rowId={(payment) => payment._id}
      rowName={(payment) => t('admin.paymentName', { order: payment.bookingId })}
      loading={t('admin.paymentsLoading')}
      empty={t('admin.paymentsEmpty')}
      failure={t('admin.paymentsFailed')}
      file="payments"
    />
  )
}
