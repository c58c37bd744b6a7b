import { Anchor, Badge, Group, Text } from '@mantine/core'

import type { PaymentStatus } from '@/api/generated/types.gen'
import { rupees } from '@/lib/format'
import { type TextId, useTexts } from '@/lib/texts'

import classes from './CartPage.module.css'
import { useInvoice } from './invoice'
import type { Due } from './shares'

const states = {
  pending: { label: 'checkout.paymentProcessed', color: 'amber' },
  captured: { label: 'checkout.paid', color: 'leaf' },
  declined: { label: 'checkout.toPay', color: 'gray' },
  refunding: { label: 'checkout.refunding', color: 'blue' },
  refunded: { label: 'checkout.refunded', color: 'blue' },
} as const satisfies Record<PaymentStatus, { label: TextId; color: string }>

/** An order, what it is to pay and whether it is paid. */
export function DueLine({ due: { order, amount, payment } }: { due: Due }) {
  const t = useTexts()
  const openInvoice = useInvoice()
  const state = states[payment?.status ?? 'declined']
  return (
    <li className={classes.due} data-testid="due" data-order={order.orderId}>
      <div className={classes.what}>
        <Text fw={600}>{t('checkout.quantityOf', { quantity: order.quantity, name: order.Item_name })}</Text>
        <Group gap="xs" mt={2}>
          <Badge size="sm" variant="light" color={state.color}>
            {t(state.label)}
          </Badge>
          {payment?.status === 'captured' && (
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
      </div>
      <Text fw={650} className={classes.sum}>
        {rupees(amount)}
      </Text>
    </li>
  )
}
