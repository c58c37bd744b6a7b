import { Button, Card, Divider, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { paymentsQuery } from '@/api/payments'
import { messageOf } from '@/api/problem'
import { rupees } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Failure, Loading } from '@/ui/states'

import { useBooking } from './booking'
import classes from './CartPage.module.css'
import { DueLine } from './DueLine'
import { NoBooking } from './NoBooking'
import { PaymentForm } from './PaymentForm'
import { duesOf } from './shares'

/** Pays the orders of one checkout. */
export function PaymentPage() {
  const t = useTexts()
  const booking = useBooking()
  const payments = useQuery(paymentsQuery())
  if (booking.orders.length === 0) return <NoBooking booking={booking} title={t('checkout.payment')} />
  if (payments.isPending) return <Loading />
  if (payments.data === undefined) {
    return (
      <Page title={t('checkout.payment')} size="sm">
        <Failure message={messageOf(payments.error, t('checkout.error'))} retry={() => void payments.refetch()} />
      </Page>
    )
  }

  const dues = duesOf(booking.orders, payments.data)
  const open = dues.filter((due) => due.payment === undefined)
  const total = dues.reduce((sum, due) => sum + due.amount, 0)
  const isShared = dues.some((due) => due.amount !== due.order.totalAmount)
  return (
    <Page title={t('checkout.payment')} lead={t('checkout.ordersToPay', { count: dues.length })} size="md">
      <div className={classes.columns}>
        <Card component="section" withBorder padding="lg" className={classes.panel} aria-label={t('checkout.howToPay')}>
          {open.length > 0 ? (
            <PaymentForm dues={dues} />
          ) : (
            <Stack gap="md" align="flex-start">
              <Title order={2}>{t('checkout.nothingToPay')}</Title>
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
                <DueLine key={due.order._id} due={due} />
              ))}
            </ul>
            <Divider />
            <Group justify="space-between">
              <Text fw={600}>{t('checkout.total')}</Text>
              <Text fz={24} fw={700} ff="heading" data-testid="payment-total">
                {rupees(total)}
              </Text>
            </Group>
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
