import { useQuery } from '@tanstack/react-query'

import { driversQuery } from '@/api/drivers'
import { messageOf } from '@/api/problem'
import { useSessionUser } from '@/lib/session'
import { useTexts } from '@/lib/texts'
import { Page } from '@/ui/Page'
import { Empty, Failure, Loading } from '@/ui/states'

import { DriverForm, type PictureSlot } from './DriverForm'

/** The driver's own details, and whether they take deliveries. */
export function DriverAvailablePage({ picture }: { picture: PictureSlot }) {
  const t = useTexts()
  const user = useSessionUser()
  const { data, error, isPending, refetch } = useQuery(driversQuery())
  const driver = data?.find(({ _id, id }) => _id === user?.id || id === user?.id)
  return (
    <Page title={t('driver.availabilityProfile')} size="sm">
      {isPending && <Loading />}
      {error !== null && <Failure message={messageOf(error, t('driver.failed'))} retry={() => void refetch()} />}
      {data !== undefined && driver === undefined && <Empty text={t('driver.beingSetUp')} hint={t('driver.beingSetUpHint')} />}
      {driver !== undefined && <DriverForm key={driver._id} driver={driver} picture={picture} />}
    </Page>
  )
}
