import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'

import type { Delivery } from '@/api/generated/types.gen'
import { useSessionUser } from '@/lib/session'
import { Page } from '@/ui/Page'
import { Loading } from '@/ui/states'

import classes from './account.module.css'
import { DeliveryHistory } from './DeliveryHistory'
import { ProfileForm } from './ProfileForm'
import { WaitingOrders } from './WaitingOrders'

/** The customer's details, orders and deliveries; `map` draws the live map of one delivery. */
export function ProfilePage({ map }: { map: (delivery: Delivery) => ReactNode }) {
  const user = useSessionUser()
  if (user === null) return <Loading text="Loading profile..." />
  return (
    <Page title={`Hello, ${user.firstName}`}>
      <div className={classes.columns}>
        <ProfileForm key={user.id} user={user} />
        <Stack gap="lg" className={classes.history ?? ''}>
          <WaitingOrders />
          <DeliveryHistory email={user.email} map={map} />
        </Stack>
      </div>
    </Page>
  )
}
