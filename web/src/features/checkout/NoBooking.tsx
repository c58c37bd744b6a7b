import { Button } from '@mantine/core'
import { Link } from 'react-router'

import { messageOf } from '@/api/problem'
import { paths } from '@/lib/paths'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Empty, Failure, Loading } from '@/ui/states'

import type { Booking } from './booking'

/** In place of a checkout that is not there, or not yet. */
export function NoBooking({ booking, title }: { booking: Booking; title: string }) {
  const t = useTexts()
  if (booking.failure !== null) {
    return (
      <Page title={title} size="sm">
        <Failure message={messageOf(booking.failure, t('checkout.error'))} retry={booking.refetch} />
      </Page>
    )
  }
  if (booking.isPending) return <Loading />
  return (
    <Page title={title} size="sm">
      <Empty text={t(booking.isInvalid ? 'checkout.invalidBooking' : 'checkout.bookingNotFound')} art="nothing-found">
        <Button component={Link} to={paths.home()}>
          {t('checkout.backToTheStart')}
        </Button>
      </Empty>
    </Page>
  )
}
