import { Button } from '@mantine/core'
import { Link } from 'react-router'

import { messageOf } from '@/api/problem'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Empty, Failure, Loading } from '@/ui/states'

import type { CheckoutOrders } from './use-checkout-orders'

/** The page of a checkout that is missing, loading or failed. */
export function MissingCheckout({ checkout, title }: { checkout: CheckoutOrders; title: string }) {
  const t = useTexts()
  if (checkout.failure !== null) {
    return (
      <Page title={title} size="sm">
        <Failure message={messageOf(checkout.failure, t('checkout.error'))} retry={checkout.refetch} />
      </Page>
    )
  }
  if (checkout.isPending) return <Loading />
  return (
    <Page title={title} size="sm">
      <Empty text={t(checkout.isInvalid ? 'checkout.invalidBooking' : 'checkout.bookingNotFound')} art="nothing-found">
        <Button component={Link} to={paths.home()}>
          {t('checkout.backToTheStart')}
        </Button>
      </Empty>
    </Page>
  )
}
