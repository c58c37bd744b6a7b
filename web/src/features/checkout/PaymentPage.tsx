import { Button, Card, Divider, Group, Stack, Text, Title } from '@mantine/core'
import { useIsMutating, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { paymentsQuery } from '@/api/payments'
import { messageOf } from '@/api/problem'
import { config } from '@/lib/config'
import { moneyText } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Failure, Loading } from '@/ui/states'

import { useCheckoutOrders } from './use-checkout-orders'
import classes from './CartPage.module.css'
import { DueLine } from './DueLine'
import { MissingCheckout } from './MissingCheckout'
import { PaymentForm } from './PaymentForm'
import { PendingPayment } from './PendingPayment'
import { balanceOf, amountOf } from './shares'
import { PAY_CHECKOUT } from './use-pay-checkout'

function Sum({ label, amount, isStrong = false }: { label: string; amount: number; isStrong?: boolean }) {
  return (
    <Group justify="space-between">
      <Text {...(isStrong ? { fw: 600 } : { c: 'dimmed' })}>{label}</Text>
      <Text fw={isStrong ? 700 : 600}>{moneyText(amount)}</Text>
    </Group>
  )
}

/** Pays the orders of one checkout. */
export function PaymentPage() {
  const t = useTexts()
  const checkout = useCheckoutOrders()
  const payments = useQuery(paymentsQuery())
  const isPaying = useIsMutating({ mutationKey: PAY_CHECKOUT }) > 0
  if (checkout.orders.length === 0) return <MissingCheckout checkout={checkout} title={t('checkout.payment')} />
  if (payments.isPending) return <Loading />
  if (payments.data === undefined) {
    return (
      <Page title={t('checkout.payment')} size="sm">
        <Failure message={messageOf(payments.error, t('checkout.error'))} retry={() => void payments.refetch()} />
      </Page>
    )
  }

  const balance = balanceOf(checkout.orders, payments.data)
  const { dues, cost, paid, left, refunded, isPending, isRefunding } = balance
  // The form stays while its customer confirms a payment at the bank. Later, or in another tab, the payment itself asks.
  const isStripe = config().stripe !== null
  const isInForm = left > 0 || (isStripe && isPaying)
  const pending = isStripe && !isPaying ? dues.flatMap((due) => due.payments).filter(({ status }) => status === 'pending') : []
  const isShared = dues.some((due) => amountOf(due) !== due.order.totalAmount)
  return (
    <Page title={t('checkout.payment')} lead={t('checkout.ordersToPay', { count: dues.length })} size="md">
      <div className={classes.columns}>
        <Card component="section" withBorder padding="lg" className={classes.panel} aria-label={t('checkout.howToPay')}>
          {pending.map((payment) => (
            <PendingPayment key={payment._id} id={payment._id} />
          ))}
          {isInForm ? (
            <PaymentForm orders={checkout.orders} balance={balance} />
          ) : (
            <Stack gap="md" align="flex-start">
              <Title order={2}>{t(isPending ? 'checkout.paymentProcessed' : 'checkout.nothingToPay')}</Title>
              <Button component={Link} to={paths.home()}>
                {t('checkout.backToTheStart')}
              </Button>
            </Stack>
          )}
        </Card>
        <Card component="section" withBorder className={classes.summary} aria-label={t('checkout.summary')}>
          <Stack gap="sm">
            <ul className={classes.lines}>
              {dues.map((due) => (
                <DueLine key={due.order._id} due={due} isPaid={left === 0 && !isPending} />
              ))}
            </ul>
            <Divider />
            <Group justify="space-between">
              <Text fw={600}>{t('checkout.total')}</Text>
              <Text fz={24} fw={700} ff="heading" data-testid="payment-total">
                {moneyText(cost)}
              </Text>
            </Group>
            {left > 0 && paid > 0 && (
              <>
                <Sum label={t('checkout.received')} amount={paid} />
                <Sum label={t('checkout.leftToPay')} amount={left} isStrong />
              </>
            )}
            {refunded > 0 && <Sum label={t(isRefunding ? 'checkout.refunding' : 'checkout.refunded')} amount={refunded} />}
            {isShared && (
              <Text size="sm" c="dimmed">
                {t('checkout.equalParts')}
              </Text>
            )}
          </Stack>
        </Card>
      </div>
    </Page>
  )
}
