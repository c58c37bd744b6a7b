import { ProfilePage } from '@/features/account/ProfilePage'
import { TrackingMap } from '@/features/tracking/TrackingMap'

import { Guard } from './Guard'

/** The profile with the live map in it: two features, put together here. */
export function Profile() {
  return (
    <Guard role="customer">
      <ProfilePage map={(delivery) => <TrackingMap delivery={delivery} />} />
    </Guard>
  )
}
