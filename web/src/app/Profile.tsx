import { ProfilePage } from '@/features/account/ProfilePage'
import { RestoreSession } from '@/features/account/RestoreSession'
import { TrackingMap } from '@/features/tracking/TrackingMap'
import { useSessionUser, useToken } from '@/lib/session'

import { Guard } from './Guard'

/** The profile with the live map in it: two features, put together here. */
export function Profile() {
  const user = useSessionUser()
  const token = useToken()
  if (token !== null && user === null) return <RestoreSession />
  return (
    <Guard role="customer">
      <ProfilePage map={(delivery) => <TrackingMap delivery={delivery} />} />
    </Guard>
  )
}
