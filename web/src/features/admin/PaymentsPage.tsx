import { Alert, Badge, Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { ListPaymentsResponses, Payment } from '@/api/generated/types.gen'
import { lists } from '@/api/lists'
import { delayedRefundsQuery } from '@/api/payments'
import { useRefundOrder } from '@/api/refund-order'
import { CURRENCY_SIGN, dateTimeText, moneyText } from '@/lib/format'
import { type TextId, useTexts } from '@/lib/texts'
import { RefundDialog } from '@/ui/RefundDialog'
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

/** The refunds that the provider has failed to make several times; nothing without any. */
function DelayedRefunds({ onShow }: { onShow: () => void }) {
  const t = useTexts()
  const { data } = useQuery(delayedRefundsQuery())
  if (data === undefined || data.length === 0) return null
  return (
    <Alert color="red" role="alert" w="100%">
      <Stack gap="xs" align="start">
        <Text size="sm">{t('refund.delayedRefunds', { count: data.length })}</Text>
        <Button size="compact-sm" variant="default" onClick={onShow}>
          {t('refund.showDelayed')}
        </Button>
      </Stack>
    </Alert>
  )
}

/** Every payment, and refunds of their orders. */
export function PaymentsPage() {
  const t = useTexts()
  const address = useListAddress()
  const refunding = useRefundOrder()
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
        <Badge variant="light" color={payment.isRefundDelayed ? 'red' : STATUSES[payment.status].color} miw="max-content">
          {t(payment.isRefundDelayed ? 'refund.delayed' : STATUSES[payment.status].label)}
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
    {
      id: 'actions',
      label: t('admin.actions'),
      slot: 'foot',
      cell: ({ bookingId, status }) =>
        (status === 'captured' || status === 'refunding') && (
          <Button
            size="compact-sm"
            variant="light"
            aria-label={t('refund.refundOf', { order: bookingId })}
            onClick={() => {
              refunding.ask({ orderId: bookingId })
            }}
          >
            {t('refund.refund')}
          </Button>
        ),
    },
  ]
  const list = useList<ListPaymentsResponses>({
    list: lists.payments,
    query: { q: address.q, type: address.get('type'), refund: address.get('refund') },
    sort: address.sort,
    columns,
    orders: { paymentDate: { up: 'oldest', down: 'newest' }, amount: { up: 'smallest', down: 'amount' } },
  })
  useFailureToast(list.error, t('admin.paymentsFailed'))
  return (
    <>
      <Listing
        title={t('admin.payments')}
        actions={list.isPending || list.error !== null ? undefined : <DelayedRefunds onShow={() => { address.set('refund', 'delayed') }} />}
        list={list}
        address={address}
        columns={columns}
        exportedToo={[
          { label: t('admin.refund', { sign: CURRENCY_SIGN }), value: (payment) => payment.refunded },
          { label: t('admin.card'), value: (payment) => cardText(payment, t) },
        ]}
        filters={[
          { name: 'type', label: t('admin.paymentType'), options: TYPES.map((type) => ({ value: type, label: type })) },
          { name: 'refund', label: t('refund.refund'), options: [{ value: 'delayed', label: t('refund.delayed') }] },
        ]}
        rowId={(payment) => payment._id}
        rowName={(payment) => t('admin.paymentName', { order: payment.bookingId })}
        loading={t('admin.paymentsLoading')}
        empty={t('admin.paymentsEmpty')}
        failure={t('admin.paymentsFailed')}
        file="payments"
      />
      {refunding.dialog !== null && <RefundDialog {...refunding.dialog} />}
    </>
  )
}
