import { useQuery } from '@tanstack/react-query'

import { driversQuery } from '@/api/drivers'
import { messageOf } from '@/api/problem'
import { useSessionUser } from '@/lib/session'
import { Page } from '@/ui/Page'
import { Empty, Failure, Loading } from '@/ui/states'

import { DriverForm } from './DriverForm'

/** The driver's own details, and whether they take deliveries. */
export function DriverAvailablePage() {
  const user = useSessionUser()
  const { data, error, isPending, refetch } = useQuery(driversQuery())
  const driver = data?.find(({ _id, id }) => _id === user?.id || id === user?.id)
  return (
    <Page title="Driver Availability Profile" size="sm">
      {isPending && <Loading />}
      {error !== null && <Failure message={messageOf(error, 'An error occurred')} retry={() => void refetch()} />}
      {data !== undefined && driver === undefined && (
        <Empty text="Your driver profile is being set up." hint="This takes a moment after signing up." />
      )}
      {driver !== undefined && <DriverForm key={driver._id} driver={driver} />}
    </Page>
  )
}
