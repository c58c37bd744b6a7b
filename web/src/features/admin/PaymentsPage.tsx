import { Badge, Text } from '@mantine/core'

import type { ListPaymentsResponses, Payment } from '@/api/generated/types.gen'
import { lists } from '@/api/lists'
import { CURRENCY_SIGN, dateTimeText, moneyText } from '@/lib/format'
import { type TextId, useTexts } from '@/lib/texts'
import type { Column } from '@/ui/table/columns'

import classes from './admin.module.css'
import { useFailureToast } from './failure-toast'
import { useList } from './use-list'
import { useListAddress } from './list-address'
import { Listing } from './Listing'

const TYPES: Payment['paymentType'][] = ['Card', 'PayPal', 'Bank Transfer']

const STATUSES: Record<Payment['status'], { label: TextId; color: string }> = {
  pending: { label: 'admin.paymentPending', color: 'gray' },
  captured: { label: 'admin.paymentCaptured', color: 'leaf' },
  declined: { label: 'admin.paymentDeclined', color: 'red' },
  refunding: { label: 'admin.paymentRefunding', color: 'amber' },
  refunded: { label: 'admin.paymentRefunded', color: 'blue' },
}

/** The brand and last digits of a card; empty for other means. */
function cardText({ cardBrand, cardLast4 }: Payment, t: ReturnType<typeof useTexts>): string {
  return cardLast4 == null ? '' : t('admin.cardEnding', { brand: cardBrand ?? t('admin.card'), digits: cardLast4 })
}

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
      label: t('admin.amount', { sign: CURRENCY_SIGN }),
      sortable: true,
      end: true,
      value: (payment) => payment.amount,
      cell: (payment) =>
        payment.refunded === 0 ? (
          moneyText(payment.amount)
        ) : (
          <>
            {moneyText(payment.amount)}
            <Text span size="xs" c="dimmed" ml={6}>
              {t('admin.paymentBack', { amount: moneyText(payment.refunded) })}
            </Text>
          </>
        ),
    },
    {
      id: 'paymentType',
      label: t('admin.paymentType'),
      sortable: true,
      value: (payment) => payment.paymentType,
      cell: (payment) => (
        <>
          {payment.paymentType}
          {payment.cardLast4 != null && (
            <Text span size="xs" c="dimmed" ml={6}>
              {cardText(payment, t)}
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'status',
      label: t('admin.status'),
      value: (payment) => t(STATUSES[payment.status].label),
      cell: (payment) => (
        <Badge variant="light" color={STATUSES[payment.status].color} miw="max-content">
          {t(STATUSES[payment.status].label)}
        </Badge>
      ),
    },
    {
      id: 'paymentDate',
      label: t('admin.date'),
      sortable: true,
      value: (payment) => payment.paymentDate,
      cell: (payment) => dateTimeText(payment.paymentDate),
    },
  ]
  const list = useList<ListPaymentsResponses>({
    list: lists.payments,
    query: { q: address.q, type: address.get('type') },
    sort: address.sort,
    columns,
    orders: { paymentDate: { up: 'oldest', down: 'newest' }, amount: { up: 'smallest', down: 'amount' } },
  })
  useFailureToast(list.error, t('admin.paymentsFailed'))
  return (
    <Listing
      title={t('admin.payments')}
      list={list}
      address={address}
      columns={columns}
      exportedToo={[
        { label: t('admin.refund', { sign: CURRENCY_SIGN }), value: (payment) => payment.refunded },
        { label: t('admin.card'), value: (payment) => cardText(payment, t) },
      ]}
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
