import { Anchor, Badge, Group, Text } from '@mantine/core'

import { moneyText } from '@/lib/format'
import { type TextId, useTexts } from '@/lib/texts'
import { RefundNote } from '@/ui/RefundNote'

import classes from './CartPage.module.css'
import { useInvoice } from './invoice'
import { type Due, amountOf } from './shares'

const states = {
  processed: { label: 'checkout.paymentProcessed', color: 'amber' },
  paid: { label: 'checkout.paid', color: 'leaf' },
  shareMade: { label: 'checkout.shareMade', color: 'amber' },
  toPay: { label: 'checkout.toPay', color: 'gray' },
} as const satisfies Record<string, { label: TextId; color: string }>

function stateOf({ share, payments }: Due, isPaid: boolean): keyof typeof states {
  if (payments.some((payment) => payment.status === 'pending')) return 'processed'
  if (isPaid) return 'paid'
  return share === null && payments.length > 0 ? 'shareMade' : 'toPay'
}

/** An order, what it is to pay, and whether it is paid: once all of its checkout is. */
export function DueLine({ due, isPaid }: { due: Due; isPaid: boolean }) {
  const t = useTexts()
  const openInvoice = useInvoice()
  const { order } = due
  const state = states[stateOf(due, isPaid)]
  return (
    <li className={classes.due} data-testid="due" data-order={order.orderId}>
      <div className={classes.what}>
        <Text fw={600}>{t('checkout.quantityOf', { quantity: order.quantity, name: order.Item_name })}</Text>
        <Group gap="xs" mt={2}>
          <Badge size="sm" variant="light" color={state.color} className={classes.state ?? ''}>
            {t(state.label)}
          </Badge>
          {isPaid && (
            <Anchor
              component="button"
              type="button"
              size="sm"
              mih={24}
              aria-label={t('checkout.invoiceOf', { order: order.orderId })}
              onClick={() => {
                openInvoice(order.orderId)
              }}
            >
              {t('checkout.invoice')}
            </Anchor>
          )}
        </Group>
        <RefundNote refunds={order.refunds} />
      </div>
      <Text fw={650} className={classes.sum}>
        {moneyText(amountOf(due))}
      </Text>
    </li>
  )
}
